// The reader's own page: when they ask to be forgotten, what this browser keeps goes too.

document.querySelector("#forget form")?.addEventListener("submit", () => {
  try {
    localStorage.clear();
  } catch {
    // Storage is forbidden: then there is nothing in it.
  }
});

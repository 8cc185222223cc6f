// Before anything is drawn: the colours and sizes that the reader has chosen. No module, so that the page does not flash.
(() => {
  /** @type {Record<string, string>} */
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem("tefuda.settings") ?? "{}");
  } catch {
    return; // kept by nobody: the page looks as usual
  }
  for (const name of ["theme", "felt", "back", "size"]) {
    if (chosen[name]) document.documentElement.dataset[name] = chosen[name];
  }
})();

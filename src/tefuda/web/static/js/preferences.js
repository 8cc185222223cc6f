// Before anything is drawn: the colours and sizes that the reader has chosen. No module, so that the page
// does not flash.
(() => {
  const probe = "tefuda.probe=1; samesite=strict";
  document.cookie = probe; // `navigator.cookieEnabled` is true also where they are blocked
  if (!document.cookie.includes("tefuda.probe")) document.documentElement.dataset.cookies = "none";
  document.cookie = `${probe}; max-age=0`;
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

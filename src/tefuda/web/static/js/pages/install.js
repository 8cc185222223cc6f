// Lets browsers keep what can be read without the server: see web/worker.js. Tables and the reader's page do not wait for it.

if ("serviceWorker" in navigator && !(/** @type {any} */ (navigator).connection?.saveData)) {
  addEventListener("load", () => {
    navigator.serviceWorker.register("/worker.js").catch(() => {}); // storage may be forbidden, or full
  });
}

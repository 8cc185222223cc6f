// Lets browsers keep what can be read without the server: see web/worker.js. Tables and the reader's page do
// not wait for it.

if ("serviceWorker" in navigator && !(/** @type {any} */ (navigator).connection?.saveData)) {
  addEventListener("load", () => {
    install().catch(() => {}); // storage may be forbidden, or full
  });
}

async function install() {
  await navigator.serviceWorker.register("/worker.js");
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage("keep");
}

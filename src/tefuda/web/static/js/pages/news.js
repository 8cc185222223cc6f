// Tells the reader what is new in the lobby, by a notification of their browser: they have to ask for it
// once.

const KEY = "tefuda.notify";

/**
 * A seat that has become free, or a turn that has come: what is told of it.
 * @typedef {{table: string, kind: "seat" | "turn", text: string}} News
 */

/** @returns {News[]} what the page shows now */
function shown() {
  return [...document.querySelectorAll("[data-table]")].flatMap((line) => {
    const asked = line.classList.contains("asked");
    if (!asked && !line.closest("#open")) return [];
    const text = ["title", "names"]
      .map((part) => line.querySelector(`.${part}`)?.textContent?.trim() ?? "")
      .join(" · ");
    return [
      { table: /** @type {HTMLElement} */ (line).dataset.table ?? "", kind: asked ? "turn" : "seat", text },
    ];
  });
}

/** @param {News} each */
const nameOf = (each) => `${each.kind} ${each.table}`;

/** The switch on the page, if it has one, and who looks for news. */
export function announceNews() {
  const place = /** @type {HTMLElement | null} */ (document.querySelector(".notify"));
  const button = place?.querySelector("button");
  let known = new Set(shown().map(nameOf));
  const isOn = () => "Notification" in window && Notification.permission === "granted" && kept() === "on";

  function draw() {
    if (!place || !button) return;
    place.hidden = !("Notification" in window);
    button.setAttribute("aria-pressed", String(isOn()));
    button.textContent = (isOn() ? place.dataset.on : place.dataset.off) ?? "";
  }

  async function change() {
    const allowed = isOn() ? "granted" : await Notification.requestPermission();
    keep(isOn() || allowed !== "granted" ? "off" : "on");
    const said = place?.querySelector("[role=status]");
    if (said) said.textContent = allowed === "denied" ? (place?.dataset.denied ?? "") : "";
    draw();
  }

  function look() {
    const now = shown();
    const fresh = now.filter((each) => !known.has(nameOf(each)));
    known = new Set(now.map(nameOf));
    if (!isOn()) return;
    for (const each of fresh)
      tell((each.kind === "turn" ? place?.dataset.turn : place?.dataset.seat) ?? "", each);
  }

  button?.addEventListener("click", change);
  draw();
  return { isOn, look };
}

/** @param {string} title @param {News} news */
async function tell(title, news) {
  const settings = { body: news.text, tag: nameOf(news), data: `/t/${news.table}` };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker)
    await worker.showNotification(title, settings); // the only way on telephones
  else new Notification(title, settings).addEventListener("click", () => window.open(settings.data));
}

function kept() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // storage may be forbidden: then nothing is told
  }
}

/** @param {string} value */
function keep(value) {
  try {
    localStorage.setItem(KEY, value);
  } catch {
    // As above.
  }
}

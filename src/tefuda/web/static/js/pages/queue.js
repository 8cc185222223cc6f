// Waits for players as long as the page is open: the server tells how many wait, and at last which table it
// is. Whoever goes to another page hangs up, and waits no more.

import { find } from "../dom.js";

/** @typedef {import("../messages.js").QueueMessage} QueueMessage */

// Milliseconds until the page asks again, when the server was stopped or cannot be reached
const AGAIN = 2000;

const place = find(".queue");
const { ask = "", waiting = "", waited = "", away = "", found = "" } = place.dataset; // address, and texts
const [told, timer] = [find(".told", place), find(".waited", place)];
const [now, choice] = [find(".now", place), find(".switch", place)];
const bots = /** @type {HTMLInputElement} */ (find("input", choice));
find(".late", place).remove(); // what is said where this script does not run
let line = new AbortController(); // hangs up
let [since, botsAt] = [0, Infinity]; // milliseconds of this page's time
let again = 0; // the timer after which it asks again

/** Read the lines of the server until it ends, or this page hangs up. @param {AbortController} mine */
async function wait(mine) {
  const body = JSON.stringify({ bots: bots.checked });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(ask, { method: "POST", headers, body, signal: mine.signal });
  if (!answer.body || !answer.ok) {
    const refused = await answer.json();
    if (answer.status >= 500) throw new Error(refused.error.text);
    return end(refused.error.text);
  }
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = "", part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const each of lines) if (each && !hear(JSON.parse(each))) return;
  }
  throw new Error(away); // the server stops: nobody has been seated
}

/** Show a message; false for the last. @param {QueueMessage} message */
function hear(message) {
  if (message.table) {
    told.textContent = found;
    location.assign(`/t/${message.table}`);
    return false;
  }
  if (message.error) {
    end(message.error.text);
    return false;
  }
  since = performance.now() - 1000 * (message.waited ?? 0);
  botsAt = performance.now() + 1000 * (message.bots_in ?? 0);
  say(waiting.replace("{waiting}", String(message.waiting)));
  draw();
  return true;
}

/** @param {string} text */
function say(text) {
  if (told.textContent !== text) told.textContent = text; // said again, it would be read aloud again
}

/** How long the reader has waited, and what they may choose now. */
function draw() {
  const seconds = Math.max(0, Math.floor((performance.now() - since) / 1000));
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (since) timer.textContent = waited.replace("{time}", time);
  timer.hidden = !since;
  now.hidden = !since || performance.now() < botsAt || bots.checked;
  choice.hidden = !since || performance.now() >= botsAt;
}

/** Wait no more, and say why. @param {string} text */
function end(text) {
  since = 0;
  draw();
  say(text);
}

/**
 * Begin to wait; the line before is left only when the new one stands, so that the reader keeps their
 * time.
 */
async function begin() {
  window.clearTimeout(again);
  const [before, mine] = [line, new AbortController()];
  line = mine;
  window.setTimeout(() => before.abort(), 1000);
  try {
    await wait(mine);
  } catch {
    if (line !== mine) return;
    end(away);
    again = window.setTimeout(begin, AGAIN);
  }
}

bots.addEventListener("change", begin);
now.addEventListener("click", () => {
  bots.checked = true;
  begin();
});
window.addEventListener("pagehide", () => line.abort());
window.addEventListener("pageshow", (event) => event.persisted && begin());
window.setInterval(draw, 1000);
begin();

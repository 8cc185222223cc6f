// While a game is being compiled: shows how far that is, and goes on when it is done.

import { find } from "../dom.js";

const EVERY = 700;

const place = find(".preparing");
const bar = /** @type {HTMLProgressElement} */ (find("progress", place));

async function look() {
  const answer = await fetch(place.dataset.ask ?? "").catch(() => null); // the server may be starting anew
  const found = answer?.ok ? await answer.json() : { ready: false, done: 0, steps: 1 };
  if (found.ready) {
    goOn();
    return;
  }
  if (found.done) {
    bar.max = found.steps;
    bar.value = found.done;
  }
  window.setTimeout(look, EVERY);
}

function goOn() {
  const form = place.querySelector("form");
  if (form) form.submit();
  else location.reload();
}

look();

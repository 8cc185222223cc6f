// A table that is played on a server; who has never been at one of its game is shown the way to the tour.

import { Connection } from "../connection.js";
import { keep, recall } from "../storage.js";
import { game } from "./game.js";

const SEEN = `tefuda.tour.${game.name}`;

// The table's state comes over the socket while what draws it is still loading.
/** @type {(hearers: import("../connection.js").Hearers) => void} */
let hear = () => {};
const connection = new Connection(
  game.table,
  game.language,
  game.after,
  new Promise((resolve) => (hear = resolve)),
);
const { Table } = await import(/* now */ "./main.js");
const table = new Table((hearers) => (hear(hearers), connection));

const welcome = document.querySelector(".welcome");
if (welcome instanceof HTMLElement && !recall(SEEN)) {
  welcome.hidden = false;
  welcome.querySelector("button")?.addEventListener("click", () => {
    keep(SEEN, "no");
    welcome.hidden = true;
  });
  // Who plays has begun to learn in another way, and needs the room.
  table.root.addEventListener("drawn", () => table.store.now.sent !== null && (welcome.hidden = true));
}

// A table that is played on a server; who has never been at one of its game is shown the way to the tour.

import { Connection } from "../connection.js";
import { keep, recall } from "../storage.js";
import { game } from "./game.js";
import { Table } from "./main.js";

const SEEN = `tefuda.tour.${game.name}`;

const table = new Table((hearers) => new Connection(game.table, game.language, game.after, hearers));

const welcome = document.querySelector(".welcome");
if (welcome instanceof HTMLElement && !recall(SEEN)) {
  welcome.hidden = false;
  welcome.querySelector("button")?.addEventListener("click", () => {
    keep(SEEN, "no");
    welcome.hidden = true;
  });
  // Who plays has begun to learn in another way, and needs the room.
  table.root.addEventListener("drawn", () => table.sent !== null && (welcome.hidden = true));
}

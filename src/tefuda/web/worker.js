// The service worker: keeps the shell, the faces of cards and players, and the rules, so that they can be
// read without a server. What is kept is named here; everything else goes to the server and leaves nothing
// behind: no table, no replay, no list of tables, nothing of the interface for programs, nothing of the
// reader's own page.
//
// The server puts SETTINGS before this text: {version, shell, icon, readable}. With another version, after an
// update, browsers fetch this file anew, and what the old one has kept is deleted.

/* global SETTINGS */
/// <reference lib="webworker" />

/** @typedef {{version: string, shell: string[], readable: string[]}} Settings */

const worker = /** @type {any} */ (self);
const KEPT = `tefuda-${SETTINGS.version}`;
const OFFLINE = "/offline";

/** Compression and language are the same for all that one browser asks. */
const ANY = { ignoreVary: true };

/** Files that never change under their address, or hardly. */
const FILES = /^\/(static|decks|faces)\//;

/** Pages that are the same for everybody. */
const PAGES = /^\/games\/[^/]+\/(rules|about)$/;

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((kept) => kept.addAll(SETTINGS.shell))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(forgetOthers().then(() => worker.clients.claim()));
});

worker.addEventListener("message", (/** @type {any} */ event) => {
  if (event.data === "keep") event.waitUntil(keepReadable()); // not while activating: pages would wait for it
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin) return;
  if (FILES.test(pathname)) event.respondWith(fromHere(event.request));
  else if (PAGES.test(pathname)) event.respondWith(fromServer(event.request));
  else if (mode === "navigate") event.respondWith(fetch(event.request).catch(() => offline()));
});

/** What the server says when it is the reader's turn: {title, body, table}. */
worker.addEventListener("push", (/** @type {any} */ event) => {
  const { title, body, table } = event.data.json();
  event.waitUntil(
    worker.registration.showNotification(title, {
      body,
      tag: `turn ${table}`,
      renotify: true,
      icon: SETTINGS.icon,
      data: `/t/${table}`,
    }),
  );
});

worker.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  if (event.notification.data) event.waitUntil(open(event.notification.data));
});

/** A page that is open already comes to the front. @param {string} path */
async function open(path) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((/** @type {any} */ page) => new URL(page.url).pathname === path);
  return there ? there.focus() : worker.clients.openWindow(path);
}

async function forgetOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
}

/** One after the other, so that what the reader does meanwhile need not wait. */
async function keepReadable() {
  const kept = await caches.open(KEPT);
  for (const address of SETTINGS.readable) {
    if (!(await kept.match(address, ANY))) await kept.add(address).catch(() => {});
  }
}

/** @param {Request} request */
async function fromHere(request) {
  const kept = await caches.open(KEPT);
  const found = await kept.match(request, ANY);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.status === 200) await kept.put(request, answer.clone()).catch(() => {}); // storage may be full
  return answer;
}

/** @param {Request} request */
async function fromServer(request) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.status === 200) await kept.put(withoutQuery(request), answer.clone()).catch(() => {});
    return answer;
  } catch {
    return (await kept.match(withoutQuery(request), ANY)) ?? (await offline());
  }
}

/** @param {Request} request */
function withoutQuery(request) {
  return request.url.replace(/[?#].*/, "");
}

async function offline() {
  return (await (await caches.open(KEPT)).match(OFFLINE, ANY)) ?? Response.error();
}

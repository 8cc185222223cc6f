// Being told in this browser that it is one's turn, also while no page is open: messages of the server (Web
// Push), which the service worker shows.

import { say } from "./texts.js";
import { game } from "./table/game.js";

/** Whether the server sends messages, and this browser takes them. */
export function isPossible() {
  return (
    Boolean(game.push) && "PushManager" in window && "Notification" in window && "serviceWorker" in navigator
  );
}

/** Whether the reader is told in this browser. */
export async function isOn() {
  return Notification.permission === "granted" && (await subscription()) !== null;
}

/** Ask the browser, and tell the server; resolves with what stands in the way, empty if nothing does. */
export async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") return say("settings.notices_denied");
  try {
    await navigator.serviceWorker.register("/worker.js");
    const { pushManager } = await navigator.serviceWorker.ready;
    const wanted = { userVisibleOnly: true, applicationServerKey: game.push };
    const found = await pushManager.subscribe(wanted).catch(async () => {
      await (await pushManager.getSubscription())?.unsubscribe(); // for another key
      return pushManager.subscribe(wanted);
    });
    return await send("notices", found);
  } catch {
    return say("settings.notices_failed");
  }
}

/** Be told no more; resolves like `turnOn`. */
export async function turnOff() {
  const found = await subscription();
  if (!found) return "";
  await found.unsubscribe();
  return send("notices/end", { endpoint: found.endpoint });
}

/** Tell the server again: the guest of this browser or their language may have changed since. */
export async function renew() {
  const found = Notification.permission === "granted" ? await subscription() : null;
  if (found) await send("notices", found);
}

async function subscription() {
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/** @param {string} path @param {object} body */
async function send(path, body) {
  const answer = await fetch(`/api/v1/${path}?lang=${game.language}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.ok ? "" : (await answer.json()).error.text;
}

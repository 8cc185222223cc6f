// Keeps the lists of tables fresh: asks for the page again now and then, and takes over its lists.

const EVERY = 10_000; // milliseconds

async function refresh() {
  const lists = document.querySelector("#tables");
  if (document.hidden || !lists || lists.contains(document.activeElement)) return;
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("#tables");
  if (fresh && fresh.innerHTML !== lists.innerHTML) lists.replaceWith(document.adoptNode(fresh));
}

setInterval(() => refresh().catch(() => {}), EVERY); // a server that is away now may be back at the next try

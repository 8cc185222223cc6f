// Keeps what changes on a page fresh: asks for the page again, and takes over its parts that are marked
// `data-fresh`.

/** Take over what has changed meanwhile; whoever reads or types in a part keeps it. */
export async function refresh() {
  const parts = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-fresh]")]);
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const part of parts) {
    const now = fresh.querySelector(`[data-fresh="${part.dataset.fresh}"]`);
    if (part.contains(document.activeElement)) continue;
    if (!now) part.remove();
    else if (now.innerHTML !== part.innerHTML) part.replaceWith(document.adoptNode(now));
  }
}

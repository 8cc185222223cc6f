// Copying text, and buttons that copy a field: <button data-copy="id of the field" data-copied="said afterwards">.

/** @param {string} text */
export async function copy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Browsers have the clipboard over https and on this machine only; the old way works everywhere.
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button[data-copy]"))) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await copy(/** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? "")).value);
    button.textContent = button.dataset.copied ?? "";
  });
}

// Buttons that copy the text of a field: <button data-copy="id of the field" data-copied="said afterwards">.

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button[data-copy]"))) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    // Browsers have the clipboard over https and on this machine only; the old command works everywhere.
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else document.execCommand("copy");
    button.textContent = button.dataset.copied ?? "";
  });
}

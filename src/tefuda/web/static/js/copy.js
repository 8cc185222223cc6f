// Copying text, and buttons that copy a field: <button data-copy="id of the field" data-copied="said
// afterwards">.

/** Whether it could be copied. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers have the clipboard over https and on this machine only, and may refuse it; the old way works
    // nearly everywhere.
  }
  const field = document.createElement("textarea");
  field.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
  document.querySelectorAll("button[data-copy]")
)) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const isCopied = await copy(
      /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? "")).value,
    );
    if (isCopied) button.textContent = button.dataset.copied ?? "";
  });
}

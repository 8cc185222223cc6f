// Which key was pressed, whatever the keyboard writes with it: commands are Latin letters on every layout.

/**
 * The key, letters and digits as a Latin keyboard has them; empty while a word is being composed.
 * @param {KeyboardEvent} event
 */
export function keyOf(event) {
  if (event.isComposing || event.key === "Process") return "";
  const key = event.key.normalize("NFKC"); // full width, as keyboards of East Asia write it
  if (/^[a-z]$/i.test(key) && event.getModifierState("CapsLock")) return key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase();
  if (/^[\x20-\x7e]+$/.test(key)) return key;
  const [, letter, digit] = /^(?:Key([A-Z])|Digit([0-9]))$/.exec(event.code) ?? [];
  return digit ?? (event.shiftKey ? letter : letter?.toLowerCase()) ?? "";
}

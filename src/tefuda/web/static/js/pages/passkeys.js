// Passkeys on the reader's own page: one is added, or they sign in with one that another browser has added.

const box = /** @type {HTMLElement} */ (document.querySelector("#passkeys"));
const news = /** @type {HTMLElement} */ (box.querySelector("[role=status]"));
const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (box.querySelectorAll("button[type=button]"));

/** What each button does. @type {Record<string, () => Promise<void>>} */
const ACTIONS = {
  async add() {
    const options = PublicKeyCredential.parseCreationOptionsFromJSON(await ask("/creation"));
    const made = await navigator.credentials.create({ publicKey: options });
    await ask("", made);
    location.reload();
  },
  async "sign-in"() {
    const options = PublicKeyCredential.parseRequestOptionsFromJSON(await ask("/request"));
    const used = /** @type {PublicKeyCredential} */ (await navigator.credentials.get({ publicKey: options }));
    try {
      await ask("/sign-in", used);
    } catch (fault) {
      if (fault instanceof Refusal && fault.code === "no_such_passkey") await forget(used, options.rpId);
      throw fault;
    }
    location.assign("/me");
  },
};

/** What browsers refuse, by the names that the standard gives it, and where the page has the words for it. */
const FAULTS = new Map([
  ["NotAllowedError", "cancelled"],
  ["AbortError", "cancelled"],
  ["InvalidStateError", "twice"],
  ["SecurityError", "elsewhere"],
]);

/** An order that the server has refused, with its words. */
class Refusal extends Error {
  /** @param {{code: string, text: string}} error */
  constructor(error) {
    super(error.text);
    this.code = error.code;
  }
}

/**
 * @param {string} path behind that of passkeys
 * @param {Credential | null} [credential] what the browser has made or signed
 */
async function ask(path, credential) {
  const answer = await fetch(`/api/v1/passkeys${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credential ?? {}),
  });
  const told = await answer.json();
  if (!answer.ok) throw new Refusal(told.error);
  return told;
}

/**
 * Tells the browser that a passkey opens nothing any more, so that it offers it no longer.
 *
 * @param {PublicKeyCredential} credential
 * @param {string | undefined} host
 */
async function forget(credential, host) {
  const signal = /** @type {any} */ (PublicKeyCredential).signalUnknownCredential;
  await signal?.call(PublicKeyCredential, { rpId: host, credentialId: credential.id });
}

/** @param {unknown} fault */
function words(fault) {
  if (fault instanceof Refusal) return fault.message;
  return box.dataset[FAULTS.get(/** @type {Error} */ (fault).name) ?? "failed"] ?? "";
}

const isKnown = "PublicKeyCredential" in globalThis && "parseCreationOptionsFromJSON" in PublicKeyCredential;
if (isKnown) {
  for (const button of buttons) {
    button.addEventListener("click", async () => {
      news.textContent = "";
      buttons.forEach((each) => {
        each.disabled = true;
      });
      try {
        await ACTIONS[button.value]?.();
      } catch (fault) {
        news.textContent = words(fault);
        buttons.forEach((each) => {
          each.disabled = false;
        });
      }
    });
  }
  /** @type {HTMLElement} */ (box.querySelector("p[hidden]")).hidden = false;
} else {
  news.textContent = box.dataset.old ?? "";
}

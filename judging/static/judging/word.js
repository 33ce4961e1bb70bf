/* R38: a word for the dice is drawn and sealed in this browser, kept in it, and handed over when the page asks for it. */
"use strict";

(() => {
  const store = (what) => { try { return what(window.localStorage); } catch { return null; } };
  const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const SHORTEST = 16;

  const box = document.querySelector("[data-word]");
  if (box && window.crypto?.subtle) {
    const form = box.closest("form"), typed = box.querySelector("[data-typed-word]"), seal = form.elements.word_sha256;
    const sealed = async () => {
      const word = typed.value.trim();
      if (word.length < SHORTEST) { seal.value = ""; return; }
      const digest = hex(await window.crypto.subtle.digest("SHA-256", new TextEncoder().encode(word)));
      if (typed.value.trim() === word) seal.value = digest;
    };
    box.hidden = false;
    /* A seal that its player made elsewhere stays; each strat that was sent gets a new word. */
    if (!seal.value || store((kept) => kept.getItem(`word:${seal.value}`))) {
      const known = seal.value ? store((kept) => kept.getItem(`word:${seal.value}`)) : null;
      typed.value = known || hex(window.crypto.getRandomValues(new Uint8Array(16)));
      sealed();
    }
    typed.addEventListener("input", sealed);
    seal.addEventListener("input", () => { typed.value = ""; });
    form.addEventListener("submit", () => {
      const word = typed.value.trim();
      if (word && seal.value) store((kept) => { kept.setItem(`word:${seal.value}`, word); });
    });
  }

  document.querySelectorAll("[data-hand-over]").forEach((form) => {
    const word = store((kept) => kept.getItem(`word:${form.dataset.handOver}`));
    const said = form.querySelector("[data-found]"), input = form.elements.word;
    if (!word) { said.textContent = gettext("The word isn't saved in this browser."); return; }
    if (!input.value) input.value = word;
    said.textContent = gettext("The word is saved in this browser.");
    const once = `handed:${form.dataset.handOver}`;
    if (store(() => window.sessionStorage.getItem(once))) return;
    store(() => window.sessionStorage.setItem(once, "yes"));
    form.requestSubmit();
  });
})();

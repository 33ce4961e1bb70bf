/* T8.1, T8.2: the word of a cut is made in this browser and kept in it; at a sealed table only its hash is sent. Without
   this script the word is typed, and the service sends back nothing of it. */
"use strict";

(() => {
  const form = document.querySelector("form[data-cut]");
  const subtle = window.crypto?.subtle;
  if (!form || !subtle) return;
  const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
  const word = form.elements.word, seal = form.elements.cut_hash, made = form.querySelector("[data-cut-made]");
  const is_sealed = form.dataset.cut === "sealed";
  const keep = (hash, value) => { try { window.localStorage.setItem(`word:${hash}`, value); return true; } catch { return false; } };

  if (!word.value) word.value = hex(window.crypto.getRandomValues(new Uint8Array(16)));
  made.hidden = false;

  const hashed = async (text) => {
    const value = await subtle.digest("SHA-256", new TextEncoder().encode(text));
    return hex(await subtle.digest("SHA-256", value));
  };
  form.addEventListener("submit", async (event) => {
    const typed = word.value.trim();
    if (!is_sealed || Array.from(typed).length < Number(word.minLength) || !word.name) return;
    event.preventDefault();
    seal.value = await hashed(typed);
    /* Where nothing can be kept, its owner has to: then the page says so before anything is sent. */
    if (!keep(seal.value, typed) && !window.confirm(gettextWith("This browser can't save your cut word. Write it down: %(word)s", {word: typed}))) return;
    word.removeAttribute("name");
    form.submit();
  });
  window.addEventListener("pageshow", () => { word.name = "word"; });
})();

/* The form of a muster: says what is not saved yet, warns before it is left, and sends nothing twice. */
"use strict";

(() => {
  const form = document.querySelector("[data-muster-form]");
  if (!form) return;
  form.querySelectorAll("[data-check]").forEach((button) => { button.hidden = true; });

  const unsaved = form.querySelector("[data-unsaved]");
  const searching = ["find", "color", "for_slot", "paste"];
  const changed = () => { unsaved.hidden = false; };
  form.addEventListener("input", (event) => { if (!searching.includes(event.target.name)) changed(); });
  document.body.addEventListener("htmx:afterSwap", (event) => { if (event.detail.target.id === "typed") changed(); });

  let leaving = false;
  form.addEventListener("submit", (event) => {
    if (leaving) { event.preventDefault(); return; }
    leaving = true;
  });
  window.addEventListener("pageshow", () => { leaving = false; });
  window.addEventListener("beforeunload", (event) => {
    if (!unsaved.hidden && !leaving) event.preventDefault();
  });
})();

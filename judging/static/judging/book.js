/* The formula book: to the character that is wrong, and no typed formula left behind by mistake. */
"use strict";

(() => {
  const form = document.querySelector("[data-book]");
  if (!form) return;
  let changed = Boolean(document.querySelector(".book > .errornote, [role=alert] > .errornote"));

  form.addEventListener("input", () => { changed = true; });
  form.addEventListener("submit", (event) => {
    const replaces = event.submitter && "replaces" in event.submitter.dataset;
    if (replaces && changed && !window.confirm(gettext("This replaces what you typed. Continue?"))) {
      event.preventDefault();
      return;
    }
    changed = false;
  });
  window.addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-goto]");
    if (!link) return;
    event.preventDefault();
    const field = document.getElementById(link.dataset.goto);
    const place = Number(link.dataset.column || 1) - 1;
    field.focus();
    field.setSelectionRange(place, place + 1);
    field.scrollIntoView({ block: "center" });
  });
})();

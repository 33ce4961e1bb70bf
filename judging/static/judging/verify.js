/* Recomputing all turns of a page: each link asks for its own, one after the other. */
"use strict";

(() => {
  const button = document.querySelector("[data-recompute-all]");
  if (!button || !window.htmx || !document.querySelector("[hx-trigger*='recompute']")) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    button.hidden = true;
    document.body.dispatchEvent(new CustomEvent("recompute"));
  });
})();

// A choice that goes with a folded part of the page opens it. Without this, one opens it by hand.
(() => {
  "use strict";
  document.querySelectorAll("[data-opens]").forEach((choice) => {
    const part = document.getElementById(choice.dataset.opens);
    const open = () => { if (choice.checked) part.open = true; };
    open();
    choice.addEventListener("change", open);
  });
})();

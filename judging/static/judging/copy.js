/* Buttons that copy a text. Without a clipboard they stay away, and the text can be marked by hand. */
"use strict";

(() => {
  if (!navigator.clipboard) return;
  document.querySelectorAll("[data-copies]").forEach((button) => {
    const name = button.dataset.copies, text = document.getElementById(name);
    const said = document.querySelector(`[data-copied="${name}"]`);
    button.hidden = false;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text.value);
        said.textContent = gettext("Copied.");
      } catch {
        text.select();
        said.textContent = gettext("Your browser blocked copying. The text is selected, so you can copy it yourself.");
      }
    });
  });
})();

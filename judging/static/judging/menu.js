// More closes by Escape, by a press elsewhere, and when the focus goes on behind it. Without this it closes by its own name.
(() => {
  "use strict";
  const more = document.querySelector(".more details");
  if (!more) return;
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !more.open) return;
    const hadFocus = more.contains(document.activeElement);
    more.open = false;
    if (hadFocus) more.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => { if (!more.contains(event.target)) more.open = false; });
  more.addEventListener("focusout", (event) => { if (event.relatedTarget && !more.contains(event.relatedTarget)) more.open = false; });
})();

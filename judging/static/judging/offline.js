// A browser without a network says so on every page with a form, and sends nothing: what was typed stays where it is.
(() => {
  "use strict";
  const WORDS = gettext("You're offline. Your text stays here. We'll only send it once you're back online.");
  let line = null;
  const show = () => {
    if (navigator.onLine) { line?.remove(); line = null; return; }
    if (line || !document.querySelector("main form")) return;
    line = document.createElement("p");
    line.className = "notice notice--bad offline";
    line.setAttribute("role", "status");
    line.textContent = WORDS;
    document.body.append(line);
  };
  document.addEventListener("submit", (event) => {
    if (navigator.onLine) return;
    event.preventDefault();
    event.stopPropagation();
    show();
  }, true);
  window.addEventListener("online", show);
  window.addEventListener("offline", show);
  show();
})();

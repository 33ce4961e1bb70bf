// 2.2.3: a creature's name shows its card: when it is pointed at, beside it; when it is chosen, in a dialog. Without this
// script, or with a key held to open it elsewhere, the name is an ordinary link to the card's page.
(() => {
  "use strict";
  const NAME = "a.creature", WAIT = 250, EDGE = 8;
  const cards = new Map();
  const tip = document.createElement("div"), dialog = document.createElement("dialog");
  const shown = document.createElement("div"), close = document.createElement("button");
  let timer = 0, over = null;

  tip.className = "creature-tip card";
  tip.hidden = true;
  tip.setAttribute("role", "tooltip");
  dialog.className = "creature-dialog card";
  dialog.setAttribute("aria-label", gettext("Creature"));
  close.type = "button";
  close.className = "button button--quiet button--small";
  close.textContent = gettext("Close");
  close.addEventListener("click", () => dialog.close());
  dialog.append(shown, close);
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(tip, dialog);

  function card(link) {
    if (!cards.has(link.href)) {
      const asked = fetch(link.href, { headers: { "X-Card": "1" } }).then((answer) => {
        if (!answer.ok && answer.status !== 404) throw new Error(answer.statusText);
        return answer.text();
      });
      asked.catch(() => cards.delete(link.href));
      cards.set(link.href, asked);
    }
    return cards.get(link.href);
  }

  function hide() {
    clearTimeout(timer);
    over = null;
    tip.hidden = true;
  }

  async function point(link) {
    const html = await card(link).catch(() => "");
    if (!html || over !== link) return;
    tip.innerHTML = html;
    tip.hidden = false;
    const at = link.getBoundingClientRect(), box = tip.getBoundingClientRect();
    const below = at.bottom + box.height + EDGE < window.innerHeight;
    tip.style.left = `${Math.max(EDGE, Math.min(at.left, window.innerWidth - box.width - EDGE))}px`;
    tip.style.top = `${Math.max(EDGE, below ? at.bottom + 4 : at.top - box.height - 4)}px`;
  }

  document.addEventListener("pointerover", (event) => {
    const link = event.pointerType === "mouse" ? event.target.closest?.(NAME) : null;
    if (link === over) return;
    hide();
    if (!link) return;
    over = link;
    timer = setTimeout(() => point(link), WAIT);
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  window.addEventListener("scroll", hide, { passive: true });

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.(NAME);
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    hide();
    try {
      shown.innerHTML = await card(link);
      dialog.showModal();
    } catch {
      window.location.assign(link.href);
    }
  });
})();

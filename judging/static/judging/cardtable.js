// 12: a card table by keys and taps. Without this script every act is a button of a form, and every card opens by itself.
(() => {
  "use strict";
  const CARDS = ".ct-card > summary", KEPT = "wargame-table-keys";
  const isTouch = () => window.matchMedia("(pointer: coarse)").matches;
  let agreed = false;

  const board = () => document.getElementById("ct");
  if (!board()) return;
  document.documentElement.classList.add("ct-script");

  // What is about to be pressed lights up the cards and squares that it names.
  function light(button) {
    for (const lit of document.querySelectorAll(".ct-lit")) lit.classList.remove("ct-lit");
    for (const number of (button?.dataset.things || "").split(" ").filter(Boolean)) {
      for (const card of document.querySelectorAll(`[data-number="${number}"]`)) card.classList.add("ct-lit");
    }
    for (const square of (button?.dataset.squares || "").split(" ").filter(Boolean)) {
      document.querySelector(`[data-square="${square}"]`)?.classList.add("ct-lit");
    }
  }
  for (const kind of ["mouseover", "focusin"]) {
    document.addEventListener(kind, (event) => light(event.target.closest?.("[data-act]")));
  }

  // A card's link to its form opens the form.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-opens]");
    const form = link && document.querySelector(link.getAttribute("href"));
    if (!form) return;
    event.preventDefault();
    link.closest("details").open = false;
    setTimeout(() => {
      form.open = true;
      form.scrollIntoView({block: "center"});
      form.querySelector("input:not([type=hidden]), select")?.focus({preventScroll: true});
    });
  });

  // One sheet at a time; a tap beside it or Escape closes it, and the card has the focus again.
  function close(part) {
    part.open = false;
    part.querySelector("summary").focus({preventScroll: true});
  }
  document.addEventListener("click", (event) => {
    for (const open of document.querySelectorAll(".ct-card[open], .ct-group[open]")) {
      if (!open.contains(event.target)) open.open = false;
    }
    if (event.target.closest(".ct-sheet__close")) close(event.target.closest("details"));
  });
  document.addEventListener("toggle", (event) => {
    const card = event.target;
    if (!card.open || !card.matches?.(".ct-card")) return;
    for (const other of document.querySelectorAll(".ct-card[open]")) if (other !== card) other.open = false;
  }, true);

  // A chosen card lights the squares where it may go; a tap on one of them is its button's. A mercenary lights all that
  // it reaches besides (`data-lights`), and a tap on any other square says why not.
  const waysOf = (card) => [...card.querySelectorAll("[data-act][data-squares]")].map((button) => [button, button.dataset.squares]);
  document.addEventListener("toggle", (event) => {
    if (!event.target.matches?.(".ct-card")) return;
    for (const lit of document.querySelectorAll(".ct-way")) lit.classList.remove("ct-way");
    const open = document.querySelector(".ct-card[open]");
    shine(open);
    for (const [, square] of open ? waysOf(open) : []) {
      document.querySelector(`[data-square="${square}"]`)?.classList.add("ct-way");
    }
  }, true);
  document.addEventListener("click", (event) => {
    const square = event.target.closest?.("[data-square]");
    const open = document.querySelector(".ct-card[open]");
    if (!square || !open || open.contains(event.target) || event.target.closest(".ct-sheet")) return;
    const there = event.target.closest(".ct-merc");
    const why = lightsOf(open)[square.dataset.square]?.[1];
    if (why) say(`${square.dataset.square}: ${why}`);
    const act = there ? strikes(open, there) : waysOf(open).find(([, name]) => name === square.dataset.square)?.[0];
    if (!act && (there || !why)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (there && act.form) ask(act, act.form);
    else act?.click();
  }, true);

  function lightsOf(card) {
    return JSON.parse(card?.dataset.lights || "{}");
  }
  function strikes(card, target) {
    return [...card.querySelectorAll("[data-act=attack]")].find((act) => act.dataset.things.split(" ").at(-1) === target.dataset.number);
  }
  function say(text) {
    const said = document.getElementById("ct-field-says");
    if (said) said.textContent = text;
  }
  function shine(card) {
    for (const square of document.querySelectorAll("[data-square]")) {
      square.classList.remove(...[...square.classList].filter((name) => name.startsWith("ct-lit--")));
    }
    say("");
    for (const [name, [kinds]] of Object.entries(lightsOf(card))) {
      document.querySelector(`[data-square="${name}"]`)?.classList.add(...kinds.map((kind) => `ct-lit--${kind}`));
    }
    if (card?.dataset.lights && window.innerWidth <= 640) card.closest(".ct-field").scrollIntoView({block: "start"});
  }

  // What was chosen in a form stays chosen when the table around it is renewed, as long as the same is asked.
  const chosen = new Map();
  const keyOf = (form) => `${document.getElementById("ct-turn")?.textContent} ${form.elements.pick_for.value}`;
  const controlsOf = (form) => [...form.querySelectorAll("input:not([type=hidden]), select")];
  document.addEventListener("change", (event) => {
    const form = event.target.closest?.(".ct-picking");
    if (!form) return;
    const values = controlsOf(form).map(({name, value, checked}) => ({name, value, checked}));
    chosen.set(keyOf(form), {values, isOpen: true});
  });
  document.addEventListener("toggle", (event) => {
    const form = event.target.matches?.(".ct-fill") && event.target.querySelector(".ct-picking");
    const kept = form && chosen.get(keyOf(form));
    if (kept) kept.isOpen = event.target.open;
  }, true);
  document.addEventListener("htmx:afterSwap", () => {
    for (const form of document.querySelectorAll(".ct-picking")) {
      const kept = chosen.get(keyOf(form)), left = [...(kept?.values || [])];
      for (const control of controlsOf(form)) {
        const isTick = control.matches("[type=checkbox], [type=radio]");
        const at = left.findIndex(({name, value}) => name === control.name && (!isTick || value === control.value));
        if (at < 0) continue;
        const [{value, checked}] = left.splice(at, 1), before = control.value;
        if (isTick) control.checked = checked;
        else {
          control.value = value;
          if (!control.value) control.value = before;
        }
      }
      if (kept?.isOpen) form.closest("details").open = true;
    }
  });

  // What can't be taken back is asked once more; under a thumb everything is.
  function ask(button, form) {
    const dialog = document.createElement("dialog"), text = document.createElement("p"), line = document.createElement("p");
    const row = document.createElement("div"), yes = document.createElement("button"), no = document.createElement("button");
    dialog.className = "ct-ask";
    text.textContent = button.dataset.asks || `${button.getAttribute("aria-label") || button.textContent.trim()}?`;
    line.className = "muted small";
    const code = document.createElement("code");
    code.textContent = button.dataset.line;
    line.append(gettext("This will post "), code);
    row.className = "actions";
    yes.className = "button";
    yes.textContent = gettext("Post it");
    no.className = "button button--quiet";
    no.textContent = gettext("Not yet");
    yes.type = no.type = "button";
    row.append(yes, no);
    dialog.append(text, line, row);
    text.id = "ct-ask-text";
    dialog.setAttribute("aria-labelledby", text.id);
    yes.addEventListener("click", () => {
      dialog.close();
      agreed = true;
      form.requestSubmit(button);
    });
    no.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => { dialog.remove(); button.focus({preventScroll: true}); });
    document.body.append(dialog);
    dialog.showModal();
    yes.focus();
  }
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (!button?.matches("[data-act]")) return;
    if (!agreed && (button.dataset.asks || isTouch())) {
      event.preventDefault();
      ask(button, event.target);
      return;
    }
    if (event.target.dataset.sent) event.preventDefault();
    event.target.dataset.sent = "1";
    agreed = false;
  });
  // A form that stays while the table around it is renewed is sent from the table as it is shown now.
  document.addEventListener("submit", (event) => {
    const shown = document.querySelector("#ct-act input[name=on]"), sent = event.target.elements?.on;
    if (shown && sent) sent.value = shown.value;
  }, true);
  window.addEventListener("pageshow", () => {
    for (const form of document.forms) delete form.dataset.sent;
    agreed = false;
  });

  // The slider leads to the entry on which it is let go.
  const slider = document.getElementById("ct-n");
  slider?.addEventListener("input", () => { slider.form.querySelector("output").value = `${slider.value} of ${slider.max}`; });
  slider?.addEventListener("change", () => slider.form.requestSubmit());

  // Keys: only while nothing is typed, and none for who has switched them off.
  const isOn = () => document.getElementById("ct-keys-on")?.checked !== false;
  const switcher = document.getElementById("ct-keys-on");
  try {
    if (switcher) switcher.checked = localStorage.getItem(KEPT) !== "off";
  } catch { /* nothing can be kept here */ }
  switcher?.addEventListener("change", () => {
    try { localStorage.setItem(KEPT, switcher.checked ? "on" : "off"); } catch { /* nothing can be kept here */ }
  });

  function walk(by) {
    const cards = [...board().querySelectorAll(CARDS)].filter((card) => card.getClientRects().length);
    if (!cards.length) return;
    const now = cards.indexOf(document.activeElement.closest?.(".ct-card")?.querySelector("summary"));
    const next = now < 0 ? (by > 0 ? 0 : cards.length - 1) : (now + by + cards.length) % cards.length;
    for (const open of document.querySelectorAll(".ct-card[open]")) open.open = false;
    cards[next].focus();
  }
  function first(selector) {
    document.querySelector(selector)?.focus();
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      const open = document.querySelector(".ct-card[open], .ct-group[open]");
      if (open) close(open);
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey || !isOn() || document.querySelector("dialog[open]")) return;
    if (event.target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")) return;
    const summary = event.target.closest?.(CARDS);
    if (event.key === "Enter" && summary && !summary.parentElement.open) {
      event.preventDefault();
      summary.parentElement.open = true;
      summary.parentElement.querySelector(".ct-sheet button[data-act]")?.focus({preventScroll: true});
      return;
    }
    const does = {
      j: () => walk(1),
      k: () => walk(-1),
      h: () => first(`#ct-hand ${CARDS}`),
      a: () => first("#ct-acts button, #ct-acts summary"),
      p: () => {
        const pass = document.querySelector("#ct-acts button[data-line=pass]");
        if (pass?.form) ask(pass, pass.form);
      },
    }[event.key];
    if (!does) return;
    event.preventDefault();
    does();
  });

  // 5.2: how many cards a deck has that is made of a draft's pool, while it is put together.
  function count(pool) {
    const total = pool.closest("form").querySelector(".ct-total");
    const many = [...pool.querySelectorAll("input")].reduce((sum, input) => sum + Math.max(0, Number(input.value) || 0), 0);
    total.textContent = gettextWith("%(number)s of %(all)s cards", {number: many, all: total.dataset.size});
    total.hidden = false;
  }
  document.addEventListener("input", (event) => {
    const pool = event.target.closest?.(".ct-pool");
    if (pool) count(pool);
  });
  for (const pool of document.querySelectorAll(".ct-pool")) count(pool);
})();

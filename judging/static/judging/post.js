/* The form for posts: Ctrl+Enter, names to choose, the number of characters, and nothing sent twice. */
"use strict";

(() => {
  const form = document.querySelector("[data-post-form]");
  if (!form) return;
  const text = form.querySelector("textarea");
  const send = form.querySelector("[data-send]");
  form.querySelectorAll("[data-check]").forEach((button) => { button.hidden = true; });

  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !send.disabled) {
      event.preventDefault();
      form.requestSubmit(send);
    }
  });

  form.addEventListener("submit", (event) => {
    if (form.dataset.sending) { event.preventDefault(); return; }
    form.dataset.sending = "yes";
  });
  window.addEventListener("pageshow", () => { delete form.dataset.sending; });

  const most = Number(text.dataset.counted), lang = document.documentElement.lang;
  const counter = document.createElement("p");
  counter.className = "counter hint";
  text.after(counter);
  const count = () => {
    const length = Array.from(text.value).length;
    counter.textContent = length > most / 2 ? gettextWith("%(number)s of %(most)s characters", {number: length.toLocaleString(lang), most: most.toLocaleString(lang)}) : "";
    counter.classList.toggle("error", length > most);
  };
  text.addEventListener("input", count);
  count();

  // The server decides; this only wakes the button of a page that was opened before sealed orders are accepted.
  const seal = form.querySelector("[data-opens]");
  const wake = () => {
    const left = Date.parse(seal.dataset.opens) - Date.now();
    if (left > 0) { setTimeout(wake, Math.min(left, 60_000)); return; }
    seal.disabled = false;
    document.querySelectorAll("[data-before-seal]").forEach((words) => { words.hidden = true; });
    document.querySelectorAll("[data-after-seal]").forEach((words) => { words.hidden = false; });
  };
  if (seal) wake();

  // The ends of lines that the server knows: a suggestion names its line by its number.
  const linesOf = (written) => written.split(/\r\n|[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]/u);

  const choose = (choices) => {
    const lines = linesOf(text.value);
    for (const {dataset: {line, wrong, name}} of choices) {
      const place = Number(line) - 1;
      if (lines[place]?.includes(wrong)) lines[place] = lines[place].replace(wrong, () => name);
    }
    text.value = lines.join("\n");
    text.dispatchEvent(new Event("input", { bubbles: true }));
    text.focus();
  };

  // Of a line that may mean two orders its writer chooses one.
  const offerAll = (buttons) => {
    const sure = buttons.filter((one) => buttons.every((other) => other === one || other.dataset.line !== one.dataset.line));
    if (sure.length < 2) return;
    const all = document.createElement("button");
    all.type = "button";
    all.className = "button button--small";
    all.textContent = gettext("Take all suggestions");
    all.addEventListener("click", () => choose(sure));
    document.querySelector("#preview .orders").after(all);
  };
  const upgrade = () => {
    offerAll(Array.from(document.querySelectorAll("#preview span.suggestion"), (name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button button--quiet button--small suggestion";
      button.textContent = name.dataset.name;
      Object.assign(button.dataset, name.dataset);
      button.addEventListener("click", () => choose([button]));
      name.replaceWith(button);
      return button;
    }));
  };
  document.body.addEventListener("htmx:afterSwap", upgrade);
  upgrade();
})();

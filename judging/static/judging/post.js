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

  const choose = (choice) => {
    const lines = text.value.split("\n");
    const place = Number(choice.dataset.line) - 1;
    if (lines[place] === undefined || !lines[place].includes(choice.dataset.wrong)) return;
    lines[place] = lines[place].replace(choice.dataset.wrong, () => choice.dataset.name);
    text.value = lines.join("\n");
    text.dispatchEvent(new Event("input", { bubbles: true }));
    text.focus();
  };
  const upgrade = () => {
    document.querySelectorAll("#preview span.suggestion").forEach((name) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button button--quiet button--small";
      button.textContent = name.textContent;
      Object.assign(button.dataset, name.dataset);
      button.addEventListener("click", () => choose(button));
      name.replaceWith(button);
    });
  };
  document.body.addEventListener("htmx:afterSwap", upgrade);
  upgrade();
})();

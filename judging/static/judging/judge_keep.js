/* 4.2: what a judge types stays in this browser until it is sent, so that a lost session loses nothing. */
"use strict";

(() => {
  const PREFIX = `judge-unsent:${document.currentScript.dataset.user}:`, DAYS = 30;
  const HELD = /^(csrfmiddlewaretoken|token|.*version)$/;
  const storage = (what) => { try { return what(window.localStorage); } catch { return null; } };
  const read = (key) => { try { return JSON.parse(storage((kept) => kept.getItem(key)) || "null"); } catch { return null; } };
  const put = (key, copy) => storage((kept) => (copy ? kept.setItem(key, JSON.stringify(copy)) : kept.removeItem(key)));

  const valuesOf = (group) => group.flatMap((field) => {
    if (field.type === "radio" || field.type === "checkbox") return field.checked ? [field.value] : [];
    return field.options ? [...field.selectedOptions].map((option) => option.value) : [field.value.replace(/\r\n/g, "\n")];
  });
  const fill = (group, values) => group.forEach((field, place) => {
    if (field.type === "radio" || field.type === "checkbox") field.checked = values.includes(field.value);
    else if (field.options) for (const option of field.options) option.selected = values.includes(option.value);
    else field.value = values[place] || "";
  });
  const note = (form, words, texts = []) => {
    const says = document.createElement("div");
    says.className = "judge-note";
    says.setAttribute("role", "status");
    says.append(words, ...texts.map((text) => Object.assign(document.createElement("pre"), {className: "judge-text", textContent: text})));
    form.prepend(says);
  };

  // What was sent has arrived once a page says so; until then it may have met a log-in page, or none at all.
  const isDone = document.querySelector(".messagelist .success, .messagelist .info, #messages .notice--success");
  const keys = storage((kept) => Object.keys(kept).filter((key) => key.startsWith(PREFIX))) || [];
  for (const key of keys) {
    const copy = read(key);
    if (!copy || (copy.isSent && isDone) || Date.now() - copy.at > DAYS * 86400000) put(key, null);
  }

  const keep = (form) => {
    const fields = [...form.elements].filter((field) => field.name && !["hidden", "submit", "button", "file", "password"].includes(field.type));
    const hidden = [...form.elements].filter((field) => field.type === "hidden" && field.name && !HELD.test(field.name));
    const key = PREFIX + [new URL(form.action, location).pathname, ...hidden.map((field) => field.value)].join("|");
    const groups = new Map(fields.map(({name}) => [name, fields.filter((field) => field.name === name)]));
    const begun = new Map([...groups].map(([name, group]) => [name, JSON.stringify(valuesOf(group))]));

    const copy = read(key);
    if (copy) {
      const others = [];
      let isBack = false;
      for (const [name, base, typed] of copy.fields) {
        const group = groups.get(name);
        if (!group) continue;
        if (begun.get(name) === JSON.stringify(typed)) begun.set(name, base);  // the page has it, the database has not
        else if (begun.get(name) === base) { fill(group, typed); isBack = true; }
        else if (group[0].localName === "textarea" && typed[0].trim()) others.push(typed[0]);
      }
      if (isBack) {
        note(form, gettext("We restored your text. It isn't sent yet."));
        for (let part = form.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
        for (const part of form.querySelectorAll("details")) part.open = true;
        form.dispatchEvent(new Event("input", {bubbles: true}));
      }
      if (others.length) note(form, gettext("This has changed since you typed here. Your text was:"), others);
    }

    const changed = () => [...groups].map(([name, group]) => [name, begun.get(name), valuesOf(group)]).filter(([, base, typed]) => JSON.stringify(typed) !== base);
    const store = (isSent) => { const typed = changed(); put(key, typed.length ? {fields: typed, at: Date.now(), isSent} : null); };
    if (copy) store(false);
    form.addEventListener("input", () => store(false));
    form.addEventListener("submit", (event) => { if (!event.defaultPrevented) store(true); });
  };
  for (const form of document.querySelectorAll("form:has([data-keeps-all]), #content-main form[method=post]")) {
    if (form.querySelector("textarea:not([hidden])")) keep(form);
  }
})();

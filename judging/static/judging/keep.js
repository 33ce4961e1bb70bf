/* 3.1: what is typed and not sent stays in this browser and on the server, for its writer alone. */
"use strict";

(() => {
  const PAUSE = 1500;
  const store = (what) => { try { return what(window.localStorage); } catch { return null; } };

  const keeping = (form) => {
    const text = form.querySelector("textarea"), says = form.querySelector("[data-kept]");
    const key = `unsent:${form.dataset.keeps}`;
    const name = form.dataset.token || form.elements.token?.value || "";
    const tell = (words) => { says.textContent = words; };
    const read = () => { try { return JSON.parse(store((kept) => kept.getItem(key)) || "null"); } catch { return null; } };
    const put = (copy) => store((kept) => (copy ? kept.setItem(key, JSON.stringify(copy)) : kept.removeItem(key)));
    const begun = text.value;
    const fields = (form.dataset.also || "").split(" ").filter(Boolean).flatMap((field) => [...form.querySelectorAll(`[name="${field}"]`)]);
    const also = () => fields.filter((field) => field.type !== "checkbox" || field.checked).map((field) => [field.name, field.value]);

    // A copy that the server has too is as old as what it shows. One whose form was sent is void.
    const copy = read();
    if (copy && (copy.sending ? copy.name === form.dataset.sent : copy.isOnServer)) put(null);
    else if (copy && copy.text.trim() && (copy.text !== text.value || JSON.stringify(copy.also || []) !== JSON.stringify(also()))) {
      text.value = copy.text;
      for (const field of copy.also ? fields : []) {
        const typed = copy.also.filter(([named]) => named === field.name).map(([, value]) => value);
        if (field.type === "checkbox") field.checked = typed.includes(field.value);
        else field.value = typed[0] || "";
      }
      text.dispatchEvent(new Event("input", {bubbles: true}));
      tell(gettext("We restored your text. It isn't sent yet."));
    }

    let timer = 0, asking = null;
    const send = async () => {
      const body = new FormData();
      for (const [field, value] of [["place", form.dataset.place], ["text", text.value], ["token", name], ["csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value]]) body.set(field, value);
      for (const [field, value] of also()) body.append(field, value);
      asking = new AbortController();
      const typed = text.value;
      const asked = navigator.onLine && fetch(form.dataset.keepUrl, {method: "POST", body, signal: asking.signal});
      const answer = await Promise.resolve(asked).catch(() => null);
      const found = answer && answer.ok ? await answer.json() : null;
      if (found?.kept && read()?.text === typed) put({text: typed, name, also: also(), isOnServer: true});
      if (form.dataset.sending) return;
      if (!text.value.trim()) tell("");
      else tell(found?.kept ? gettextWith("Saved at %(time)s UTC, not sent yet. Only you can see it.", {time: found.at}) : gettext("Saved in this browser, not sent yet."));
    };
    const typed = () => {
      put(text.value.trim() && (text.value !== begun || fields.length) ? {text: text.value, name, also: also()} : null);
      clearTimeout(timer);
      timer = setTimeout(send, PAUSE);
    };
    [text, ...fields].forEach((field) => field.addEventListener("input", typed));
    window.addEventListener("online", () => { if (read() && !read().isOnServer && !form.dataset.sending) send(); });
    form.addEventListener("submit", (event) => {
      if (event.defaultPrevented) return;
      clearTimeout(timer);
      asking?.abort();
      put(text.value.trim() ? {text: text.value, name, also: also(), sending: true} : null);
    });
  };
  document.querySelectorAll("form[data-keeps]").forEach(keeping);
})();

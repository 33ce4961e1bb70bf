/* The form for strats: what is typed stays in this browser until it has been sent, and the characters are counted. */
"use strict";

(() => {
  const form = document.querySelector("[data-strat-form]");
  if (!form) return;
  const text = form.querySelector("textarea");
  form.querySelectorAll("[data-keep]").forEach((button) => { button.hidden = true; });
  const saved = form.querySelector("[data-saved]");
  const key = form.dataset.stratForm;
  const sentKey = `${key}:sending`;

  const store = (what) => { try { return what(window.localStorage); } catch { return null; } };
  const tell = (words) => { saved.hidden = false; saved.textContent = words; };

  /* A strat that was sent comes back as one more on the page: then its copy is done with. */
  const sending = store((kept) => kept.getItem(sentKey));
  if (sending !== null && Number(sending) < Number(form.dataset.sent)) {
    store((kept) => { kept.removeItem(key); });
  }
  store((kept) => { kept.removeItem(sentKey); });

  const earlier = store((kept) => kept.getItem(key));
  if (earlier && !text.value.trim()) {
    text.value = earlier;
    tell(gettext("We restored your text. It isn't sent yet."));
  }

  const most = Number(text.dataset.counted), lang = document.documentElement.lang;
  const counter = document.createElement("p");
  counter.className = "counter hint";
  text.after(counter);
  const count = () => {
    const length = Array.from(text.value).length;
    counter.textContent = gettextWith("%(number)s of %(most)s characters", {number: length.toLocaleString(lang), most: most.toLocaleString(lang)});
    counter.classList.toggle("error", length > most);
  };

  /* 4.2.6: who runs wins nothing, so he risks nothing: of the two only one can be ticked. */
  const runs = form.elements.runs, risks = [...form.querySelectorAll("[name=risk]")].filter((radio) => radio.value && !radio.disabled);
  const exclude = () => {
    runs.disabled = risks.some((radio) => radio.checked) && !runs.checked;
    for (const radio of risks) radio.disabled = runs.checked && !radio.checked;
    for (const [field, isOff] of [[runs, runs.disabled], ...risks.map((radio) => [radio, radio.disabled])]) field.title = isOff ? gettext("An army that runs away loses the battle, so it can't also kill or capture (4.2.6).") : "";
  };
  if (runs) { form.addEventListener("change", exclude); exclude(); }

  let timer = 0;
  const keep = () => {
    if (text.value.trim()) store((kept) => { kept.setItem(key, text.value); });
    else store((kept) => { kept.removeItem(key); });
    tell(gettext("Saved in this browser, not sent yet."));
  };
  text.addEventListener("input", () => { count(); clearTimeout(timer); timer = setTimeout(keep, 500); });
  count();

  form.addEventListener("submit", (event) => {
    if (form.dataset.sending) { event.preventDefault(); return; }
    form.dataset.sending = "yes";
    clearTimeout(timer);
    store((kept) => { kept.setItem(key, text.value); kept.setItem(sentKey, form.dataset.sent); });
  });
  window.addEventListener("pageshow", () => { delete form.dataset.sending; });
})();

// 1.2: a hidden page does not ask for the bell; the time zone of the browser is that of somebody who has chosen none.
(() => {
  "use strict";
  const bell = () => document.getElementById("bell");
  const zone = () => { try { return Intl.DateTimeFormat().resolvedOptions().timeZone || ""; } catch { return ""; } };
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt?.id === "bell" && document.hidden) event.preventDefault();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && bell()) window.htmx.trigger(bell(), "bell:now");
  });
  const field = document.querySelector("[data-zone-field]");
  if (field && !field.value) field.value = zone();
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  if (!bell() || bell().dataset.zone || !token || !zone()) return;
  fetch(bell().dataset.says, {method: "POST", body: new URLSearchParams({csrfmiddlewaretoken: token, time_zone: zone()})})
    .then((answer) => { if (answer.ok) bell().dataset.zone = "1"; }).catch(() => {});
})();

// 1.2: a browser whose push address was changed, or dropped, while no page was open is reached at its new one.
(async () => {
  "use strict";
  const kept = JSON.parse(localStorage.getItem("push") || "null");
  if (!kept || !("serviceWorker" in navigator && "PushManager" in window) || Notification.permission !== "granted") return;
  const worker = await navigator.serviceWorker.getRegistration();
  if (!worker) return;
  const key = Uint8Array.from(atob(kept.key.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));
  const now = await worker.pushManager.getSubscription() || await worker.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: key});
  if (now.endpoint === kept.was.endpoint) return;
  const body = JSON.stringify({was: kept.was, now: now.toJSON()});
  const answer = await fetch(kept.to, {method: "POST", headers: {"Content-Type": "application/json"}, body});
  if (answer.ok) localStorage.setItem("push", JSON.stringify({...kept, was: now.toJSON()}));
})().catch(() => {});

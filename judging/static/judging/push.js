// 1.2: this browser is subscribed to web push, or not any more.
(async () => {
  "use strict";
  const place = document.getElementById("push"), says = document.getElementById("push-says");
  const here = document.getElementById("push-here"), gone = document.getElementById("push-gone");
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  if (!place || !token) return;
  const say = (words) => { says.textContent = words; };
  if (!("serviceWorker" in navigator && "PushManager" in window)) {
    say(window.isSecureContext ? gettext("This browser doesn't support push messages.") : gettext("Push messages only work over HTTPS."));
    return;
  }

  function bytes(text) {
    const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(plain, (each) => each.charCodeAt(0));
  }

  async function tell(what) {
    const headers = {"Content-Type": "application/json", "X-CSRFToken": token};
    const answer = await fetch(place.dataset.to, {method: "POST", headers, body: JSON.stringify(what)});
    if (!answer.ok) throw new Error(answer.status === 422 ? await answer.text() : gettext("The server didn't accept this. Try again."));
  }

  async function attempt(work) {
    here.disabled = gone.disabled = true;
    try { await work(); } catch (error) { say(error.message); }
    here.disabled = gone.disabled = false;
  }

  const worker = await navigator.serviceWorker.register(place.dataset.worker).catch(() => null);
  if (!worker) { say(gettext("This browser doesn't allow push messages from this site.")); return; }
  const subscription = await worker.pushManager.getSubscription();
  here.hidden = Boolean(subscription);
  gone.hidden = !subscription;
  say("");

  here.addEventListener("click", () => attempt(async () => {
    if (await Notification.requestPermission() !== "granted") {
      throw new Error(gettext("Your browser blocks notifications from this site. Allow them in its settings for this site."));
    }
    await navigator.serviceWorker.ready;
    const key = bytes(place.dataset.key);
    const made = await worker.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: key});
    try { await tell(made.toJSON()); } catch (error) { await made.unsubscribe(); throw error; }
    localStorage.setItem("push", JSON.stringify({was: made.toJSON(), key: place.dataset.key, to: place.dataset.renewed}));
    location.reload();
  }));
  gone.addEventListener("click", () => attempt(async () => {
    const known = await worker.pushManager.getSubscription();
    if (known) { await tell({gone: known.endpoint}); await known.unsubscribe(); }
    localStorage.removeItem("push");
    location.reload();
  }));
})();

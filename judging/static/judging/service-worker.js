// 1.2: shows what is pushed, and opens its page. It keeps nothing and answers no request of a page.
self.addEventListener("push", (event) => {
  let told = {};
  try { told = event.data ? event.data.json() : {}; } catch { /* what can't be read is still a sign */ }
  const {title = self.location.host, body = "Something concerns you.", url = "/notifications/", tag = "told"} = told;
  event.waitUntil(self.registration.showNotification(title, {body, tag, data: {url}}));
});

// The push service has given this browser another address. A page that is open later says it, if this can't.
self.addEventListener("pushsubscriptionchange", (event) => {
  const was = event.oldSubscription;
  if (!was) return;
  const renewed = async () => {
    const now = event.newSubscription || await self.registration.pushManager.subscribe(was.options);
    const headers = {"Content-Type": "application/json"};
    await fetch("/notifications/push/renewed/", {method: "POST", headers, body: JSON.stringify({was, now})});
  };
  event.waitUntil(renewed());
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const to = new URL(event.notification.data?.url || "/notifications/", self.location.origin);
  if (to.origin === self.location.origin) event.waitUntil(self.clients.openWindow(to.href));
});

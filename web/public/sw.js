// Shows that it is somebody's turn, and leads there.
addEventListener("push", (event) => {
  const told = event.data?.json() ?? {};
  event.waitUntil(registration.showNotification("Counterblow", { body: told.text ?? "It is your turn.", data: told.match, icon: "/icon.svg" }));
});

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(event.notification.data ? `/match/${encodeURIComponent(event.notification.data)}` : "/"));
});

// The app's service worker: it shows what is pushed where the browser does not do so by itself, and opens what it is about.
// Without a connection it shows a page that says so, which it keeps.
"use strict";

const OFFLINE = "/offline";

const keep = async () => {
  await (await caches.open("pages")).add(new Request(OFFLINE, { cache: "reload" }));
  await self.skipWaiting();
};

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate") event.respondWith(fetch(event.request).catch(() => caches.match(OFFLINE)));
});

self.addEventListener("push", (event) => {
  const { app_badge: turns, notification } = event.data.json();
  const { title, navigate, ...options } = notification;
  const shown = self.registration.showNotification(title, {
    icon: "/static/lobby/icon-192.png",
    badge: "/static/lobby/badge.png",
    ...options,
    data: { ...options.data, navigate },
  });
  const badge = "setAppBadge" in navigator && turns !== undefined ? navigator.setAppBadge(turns) : null;
  event.waitUntil(Promise.all([shown, badge]));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.navigate ?? "/", self.location.origin).href;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window" });
    const there = pages.find((page) => page.url === url);
    return there ? there.focus() : self.clients.openWindow(url);
  };
  event.waitUntil(open());
});

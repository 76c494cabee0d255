// Serves the playground offline: the page as it was last seen, refreshed where there is a network.
const CACHE = "placemat";
const PAGE = new URL("./", self.location).href;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(new Request(PAGE, { cache: "reload" }))));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode !== "navigate" || !request.url.startsWith(PAGE)) return;
  event.respondWith(
    fetch(request).then(
      async (answer) => {
        if (answer.ok) await (await caches.open(CACHE)).put(PAGE, answer.clone());
        return answer;
      },
      async () => (await caches.match(PAGE)) ?? Response.error(),
    ),
  );
});

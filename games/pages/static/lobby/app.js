// The app: its service worker, and pushes to this browser (NT12), switched on and off with a button.
const worker = "serviceWorker" in navigator ? navigator.serviceWorker.register("/sw.js", { scope: "/" }) : null;
worker?.catch(() => {}); // without it everything else works

const box = document.querySelector("#push");
const API = "/api/v1/me/push";

async function ask(url, method = "GET", body = undefined) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRFToken"] = document.querySelector("[name=csrfmiddlewaretoken]").value;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(url, { method, headers, credentials: "same-origin", body: body && JSON.stringify(body) });
  const json = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
  if (!answer.ok) throw new Error(json?.detail ?? `The server answered ${answer.status}.`);
  return json;
}

async function begin(registration) {
  if ((await Notification.requestPermission()) !== "granted") {
    return say("This browser does not let Trey tell you anything. Its settings for this site can change that.");
  }
  const { key } = await ask(`${API}/key`);
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { id } = await ask(API, "POST", subscription.toJSON());
  localStorage.setItem("trey:push", id);
  return show(registration);
}

async function end(registration, subscription) {
  const id = localStorage.getItem("trey:push");
  await subscription.unsubscribe();
  localStorage.removeItem("trey:push");
  if (id) await ask(`${API}/${id}`, "DELETE").catch(() => {}); // gone already is as good
  return show(registration);
}

function say(text) {
  box.querySelector("[role=status]").textContent = text;
}

async function show(registration) {
  const subscription = await registration.pushManager.getSubscription();
  const button = box.querySelector("button");
  button.hidden = false;
  button.textContent = subscription ? "Stop telling me on this device" : "Tell me on this device";
  say(subscription ? "This device is told, even with no page of Trey open." : "");
  button.onclick = () => (subscription ? end(registration, subscription) : begin(registration)).catch((wrong) => say(wrong.message));
}

if (box && worker && "PushManager" in window) {
  worker.then(show).catch(() => say("This device cannot be told at this address: that needs HTTPS."));
} else if (box) {
  say("This browser has no push notifications. On an iPhone, add Trey to the home screen first.");
}

// The app: its service worker, and pushes to this browser, switched on and off with a button.
const worker = "serviceWorker" in navigator ? navigator.serviceWorker.register("/sw.js", { scope: "/" }) : null;
worker?.catch(() => {}); // without it everything else works

const box = document.querySelector("#push");
const API = "/api/v1/me/push";
// Who switched it on here: what was lost since is made anew for them, and for nobody else.
const OWNER = "trey:push";

async function ask(url, method = "GET", body = undefined) {
  const headers = { Accept: "application/json", "Trey-Reader": reader.id };
  if (method !== "GET") headers["X-CSRFToken"] = reader.token();
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(url, { method, headers, credentials: "same-origin", body: body && JSON.stringify(body) });
  const json = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
  if (!answer.ok) throw new Error(json?.detail ?? `The server answered ${answer.status}.`);
  return json;
}

async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The server's row of this browser's subscription, if it goes to the reader, and whether they ended it elsewhere.
async function own(subscription) {
  if (!subscription) return {};
  const mine = await digest(subscription.endpoint);
  const { results, ended } = await ask(API);
  return { row: results.find((one) => one.digest === mine && one.active), ended: ended.includes(mine) };
}

async function subscribe(registration) {
  const { key } = await ask(`${API}/key`);
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await ask(API, "POST", subscription.toJSON());
}

async function begin(registration) {
  if ((await Notification.requestPermission()) !== "granted") {
    return say("This browser blocks notifications from Trey. You can change that in its settings for this site.");
  }
  await subscribe(registration);
  localStorage.setItem(OWNER, reader.id);
  return show(registration);
}

async function end(registration) {
  const subscription = await registration.pushManager.getSubscription();
  const { row } = await own(subscription);
  localStorage.removeItem(OWNER);
  await subscription?.unsubscribe();
  if (row) await ask(`${API}/${row.id}`, "DELETE").catch(() => {}); // gone already is as good
  return show(registration);
}

function say(text) {
  if (box) box.querySelector("[role=status]").textContent = text;
}

async function show(registration) {
  const { row, ended } = await own(await registration.pushManager.getSubscription());
  let told = Boolean(row);
  if (ended) localStorage.removeItem(OWNER); // it comes back only by the button
  if (!told && localStorage.getItem(OWNER) === reader.id && Notification.permission === "granted") {
    await subscribe(registration); // the browser or the server has lost it
    told = true;
  }
  if (!box) return;
  const button = box.querySelector("button");
  button.hidden = false;
  button.textContent = told ? "Stop notifying me on this device" : "Notify me on this device";
  say(told ? `This device notifies ${document.querySelector("meta[name=reader]").dataset.name}, even when no page of Trey is open.` : "");
  button.onclick = () => (told ? end : begin)(registration).catch((wrong) => say(inWords(wrong)));
}

/** What went wrong, in our words where the browser has only its own. */
function inWords(wrong) {
  if (wrong instanceof DOMException) return "This browser's push service refused. Private windows can't get notifications.";
  return wrong instanceof TypeError ? "There is no connection. Try again." : wrong.message;
}

if (reader.id && worker && "PushManager" in window && (box || localStorage.getItem(OWNER))) {
  worker.then(show).catch(() => say("This device can't get notifications from this address, because they need HTTPS."));
} else if (box) {
  say("This browser doesn't support push notifications. On an iPhone, add Trey to the home screen first.");
}

// A lesson that was played to its end in this browser has a tick.
for (const link of document.querySelectorAll("[data-learn]")) if (localStorage.getItem(`trey:learnt:${link.dataset.learn}`)) link.append(" ✓");

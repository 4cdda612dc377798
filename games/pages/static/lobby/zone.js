// A player without a calendar is told times in this browser's zone. The page asks for this script until there is one.
import { again, take } from "./bell.js";

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const refused = "trey:zone-refused";

async function tell() {
  const answer = await fetch("/api/v1/me", {
    method: "PATCH",
    headers: { "Content-Type": "application/json", "X-CSRFToken": reader.token(), "Trey-Reader": reader.id },
    credentials: "same-origin",
    body: JSON.stringify({ calendar: { time_zone: zone } }),
  });
  if (!answer.ok) return sessionStorage.setItem(refused, zone);
  const newer = document.querySelector("#calendar") && (await again());
  if (newer) take(newer, "#calendar");
}

// A browser that does not say where it is says UTC.
if (zone && zone !== "UTC" && sessionStorage.getItem(refused) !== zone) tell().catch(() => {}); // the next page tries again

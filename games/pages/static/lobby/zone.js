// A player without a calendar is told times in this browser's zone (NT10). The page asks for this script until there is one.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const refused = "trey:zone-refused";

async function tell() {
  const field = document.querySelector("#id_zone");
  const shown = field?.value;
  const answer = await fetch("/api/v1/me", {
    method: "PATCH",
    headers: { "Content-Type": "application/json", "X-CSRFToken": reader.token(), "Trey-Reader": reader.id },
    credentials: "same-origin",
    body: JSON.stringify({ calendar: { time_zone: zone } }),
  });
  if (!answer.ok) return sessionStorage.setItem(refused, zone);
  if (field && field.value === shown) field.value = zone;
}

// A browser that does not say where it is says UTC.
if (zone && zone !== "UTC" && sessionStorage.getItem(refused) !== zone) tell().catch(() => {}); // the next page tries again

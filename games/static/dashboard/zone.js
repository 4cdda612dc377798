/** Moments are typed in the reader's zone; without a script in UTC, and the labels say so. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const kept = document.querySelector("input[name=zone]");

function local(utc) {
  const moment = new Date(`${utc}Z`);
  return new Date(moment - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

if (kept && zone) {
  const fresh = kept.value === "UTC";
  for (const input of document.querySelectorAll("input[type=datetime-local]")) {
    const label = document.querySelector(`label[for=${input.id}]`);
    if (fresh && input.value) input.value = local(input.value.slice(0, 16));
    for (const text of label.childNodes) {
      if (text.nodeType === Node.TEXT_NODE) text.data = text.data.replace("(UTC)", `(your time, ${zone})`);
    }
  }
  kept.value = zone;
}

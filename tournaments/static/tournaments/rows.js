// Opens a row of the standings in place. Without script its link leads to the same on a page of its own.
"use strict";

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-opens]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const row = link.closest("tr");
  const opened = row.nextElementSibling;
  if (opened?.classList.contains("opened")) {
    opened.hidden = !opened.hidden;
    link.setAttribute("aria-expanded", String(!opened.hidden));
    return;
  }
  if (link.getAttribute("aria-busy")) return;
  link.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const cell = document.createElement("td");
    cell.colSpan = row.cells.length;
    cell.append(document.adoptNode(page.getElementById("details")));
    cell.firstElementChild.removeAttribute("id");
    const added = document.createElement("tr");
    added.className = "opened";
    added.append(cell);
    row.after(added);
    link.setAttribute("aria-expanded", "true");
  } catch {
    location.assign(link.href);
  } finally {
    link.removeAttribute("aria-busy");
  }
});

function prepare() {
  for (const link of document.querySelectorAll("a[data-opens]:not([aria-expanded])")) link.setAttribute("aria-expanded", "false");
}

prepare();
document.addEventListener("page:renewed", (event) => {
  prepare();
  for (const id of event.detail) document.getElementById(id)?.querySelector("a[data-opens]")?.click();
});

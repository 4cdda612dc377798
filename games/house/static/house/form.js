/** The form of house rules: what they say as one types, and what is typed kept in this browser until it is saved. */

import { Draft } from "../play/draft.js";
import { element } from "../table/cards.js";

const PAUSE = 300; // after the last change
const form = document.getElementById("rules");
const list = document.getElementById("sentences");
const OWN = ["csrfmiddlewaretoken", "once"];
const named = (who) => new Draft(`house:${form.dataset.draft}:${who}`);
const draft = named(reader.id);
let asked = 0;
let timer;

/** What is typed, without what belongs to this page alone. */
function typed() {
  return [...new FormData(form)].filter(([name]) => !OWN.includes(name));
}

function fill(pairs) {
  const given = new Map();
  for (const [name, value] of pairs) given.set(name, [...(given.get(name) ?? []), value]);
  for (const field of form.elements) {
    if (!field.name || field.type === "submit" || OWN.includes(field.name)) continue;
    const values = given.get(field.name) ?? [];
    if (["checkbox", "radio"].includes(field.type)) field.checked = values.includes(field.value);
    else if (values.length) [field.value] = values;
  }
  for (const rank of form.querySelectorAll(".rank")) label(rank);
}

/** Say on a rank's line what it does. */
function label(rank) {
  const does = [...rank.querySelectorAll("input:checked")].map((box) => box.dataset.name).join(", ");
  const said = rank.querySelector(".does");
  said.textContent = does || "–";
  said.classList.toggle("quiet", !does);
}

/** Ask what the rules say. Only the answer to the newest question is shown. */
async function check() {
  const number = ++asked;
  const body = new FormData(form);
  body.set("act", "check");
  body.set("csrfmiddlewaretoken", reader.token());
  body.delete("once");
  const answer = await fetch(location.href, { method: "POST", body, headers: { Accept: "application/json" }, credentials: "same-origin" }).catch(() => null);
  const said = answer?.ok ? await answer.json().catch(() => null) : null;
  if (number !== asked) return;
  if (said) show(said);
  else now(answer?.status === 429 ? "You are changing things fast. The rules in words will follow in a minute." : "There is no connection. What you type is kept in this browser.");
}

function show({ sentences, errors = {} }) {
  for (const place of form.querySelectorAll("[data-path]")) {
    const { path } = place.dataset;
    place.textContent = errors[path] ?? "";
    const field = form.elements[path];
    if (field?.setAttribute) field.toggleAttribute("aria-invalid", false);
    if (errors[path] && field?.setAttribute) field.setAttribute("aria-invalid", "true");
    if (errors[path]) for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }
  const wrong = Object.values(errors);
  if (wrong.length) return now(wrong[0]);
  const before = new Set([...list.children].map((one) => one.textContent));
  const fresh = sentences.filter((one) => !before.has(one));
  list.replaceChildren(...sentences.map((one) => element("li", { class: fresh.includes(one) ? "new" : "" }, one)));
  // Where the sentences scroll by themselves, to what is new.
  const aside = list.closest("aside");
  const one = list.querySelector(".new");
  if (one && aside.scrollHeight > aside.clientHeight) aside.scrollTop = one.offsetTop - aside.offsetTop - aside.clientHeight / 2;
  return now(fresh.length < sentences.length ? fresh.join(" ") : "");
}

function now(text) {
  document.getElementById("now").textContent = text;
}

function changed() {
  draft.keep({ typed: typed(), at: Date.now() });
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE);
}

/** Offer what was typed before, or take it at once where nothing was saved since it was begun. */
function takeOver() {
  // Who began as a stranger has become a guest by trying.
  const all = [...draft.takeOver(), ...(reader.id ? named("").takeOver() : [])];
  const kept = all.sort((one, other) => other.at - one.at)[0];
  if (!kept || form.dataset.typed === "true") return;
  const mine = typed();
  if (JSON.stringify(kept.typed) === JSON.stringify(mine)) return;
  const note = document.getElementById("kept");
  const take = () => {
    fill(kept.typed);
    changed();
  };
  const button = (text, act) => {
    const node = element("button", { type: "button", class: "link" }, text);
    node.addEventListener("click", act);
    return node;
  };
  const seen = (pairs) => pairs.find(([name]) => name === "seen")?.[1];
  const back = () => {
    draft.keep(null);
    location.reload();
  };
  if (seen(kept.typed) === seen(mine)) {
    take();
    note.replaceChildren("Your unsaved changes are back. ", button("Start over", back));
  } else {
    draft.keep(kept);
    note.replaceChildren("You have unsaved changes to an earlier version. ", button("Show them", () => (take(), (note.hidden = true))), " ", button("Discard them", back));
  }
  note.hidden = false;
}

form.addEventListener("input", ({ target }) => {
  const rank = target.closest(".rank");
  if (rank) label(rank);
  changed();
});
form.addEventListener("submit", (event) => {
  const act = event.submitter?.value;
  if (act === "check") {
    event.preventDefault(); // the return key in a field
    check();
  } else if (act === "save") sessionStorage.setItem("trey:house", draft.key); // the page of what is saved lets go of it
});
takeOver();
if (form.dataset.typed === "true") changed();

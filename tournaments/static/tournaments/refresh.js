// Asks now and then whether there is a newer version of the page, and puts it in place of this one. A page that nobody looks
// at asks nothing, and one that is being filled in stays as it is.
import { isFilledIn } from "../site/filled.js";
import { renew } from "../site/times.js";

const EVERY = 20_000;
const versionOf = (page) => page.querySelector('meta[name="trey-version"]')?.content;
let held = versionOf(document);

// What is folded to be read, not to be filled in: it stays open on the newer page.
const FOLD = ".folds > details";
const isBusy = () => Boolean(document.activeElement?.closest(`main form, main details[open]:not(${FOLD})`)) || isFilledIn(document.querySelector("main"));

export async function look() {
  if (document.hidden || isBusy()) return;
  const answer = await fetch(location.href, { headers: { "If-None-Match": `"${held}"` }, cache: "no-store" });
  if (answer.status === 403 || answer.status === 404) reader.leave();
  if (answer.status !== 200) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const main = page.querySelector("main");
  if (!reader.reads(page) || !main || isBusy()) return;
  held = versionOf(page);
  document.title = page.title;
  const open = [...document.querySelectorAll('a[aria-expanded="true"]')].map((link) => link.closest("tr").id);
  const unfolded = [...document.querySelectorAll(`${FOLD}[open]`)].map((one) => one.id);
  document.querySelector("main").replaceChildren(...main.childNodes);
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  renew();
  document.dispatchEvent(new CustomEvent("page:renewed", { detail: open }));
}

const quietly = () => look().catch(() => {}); // away from the network: the next time
setInterval(quietly, EVERY);
document.addEventListener("visibilitychange", quietly);

/** The end of a game: its turning moments, and a picture to hand on. */

import { element } from "../table/cards.js";
import { dialog } from "./dialog.js";

/** Draw the moments under the bar; each leads to its place in the history. */
export async function ending(page, foot) {
  const moments = await page.api.moments();
  const rows = moments.map(({ version, said }) => element("li", {}, element("a", { href: page.api.page("", { at: version }) }, said)));
  const share = page.button("A picture to share", () => picture(page));
  const review = page.hasReview ? [element("a", { class: "button", href: page.api.page("/review") }, "How did it go?"), " "] : [];
  foot.append(element("section", { class: "moments", "aria-label": "Turning points" }, element("ul", { class: "plain small" }, ...rows), ...review, share));
}

/** The picture as it is before it is handed on; that of a private game has names only where they are asked for. */
function picture(page) {
  const isPrivate = page.game.visibility !== "public";
  const shown = element("img", { class: "shared", width: 1200, height: 630 });
  const save = element("a", { class: "button", download: `${page.title}.png` }, "Save");
  const named = element("input", { type: "checkbox" });
  const draw = () => {
    shown.alt = isPrivate && !named.checked ? "The result and the highlights, without names" : "The players' names, the result and the highlights";
    shown.src = save.href = page.api.page("/picture.png", named.checked ? { names: 1 } : {});
  };
  named.addEventListener("change", draw);
  draw();
  const ask = element("label", { class: "check" }, named, "With everyone's names");
  const parts = [shown, element("p", { class: "small" }, "The picture shows nothing else. Nothing changes at the table."), isPrivate ? ask : null];
  const share = page.button("Share", async () => {
    const blob = await (await fetch(shown.src)).blob();
    // Who closes the list of apps has changed their mind.
    await navigator.share({ files: [new File([blob], save.download, { type: blob.type })] }).catch(() => {});
  });
  const may = navigator.canShare?.({ files: [new File([], "a.png", { type: "image/png" })] });
  dialog(page, "A picture of the game", parts.filter(Boolean), { links: [save, ...(may ? [share] : [])] });
}

// An order of places by buttons. Without script the numbers are typed.
const named = (row) => row.querySelector(".name").textContent;

for (const list of document.querySelectorAll("ol[data-order]")) {
  const said = document.createElement("p");
  said.className = "sr-only";
  said.setAttribute("role", "status");
  list.after(said);

  const number = () => {
    [...list.children].forEach((row, at) => { row.querySelector("input.place").value = at + 1; });
  };

  const move = (row, up) => {
    const other = up ? row.previousElementSibling : row.nextElementSibling;
    if (!other) return;
    if (up) other.before(row); else other.after(row);
    number();
    const at = [...list.children].indexOf(row) + 1;
    said.textContent = `${named(row)}: place ${at}`;
    row.querySelector(up ? "[data-up]" : "[data-down]").focus();
  };

  for (const row of list.children) {
    for (const [up, sign, word] of [[true, "↑", "up"], [false, "↓", "down"]]) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button";
      button.textContent = sign;
      button.toggleAttribute(up ? "data-up" : "data-down", true);
      button.setAttribute("aria-label", `${named(row)} ${word}`);
      button.addEventListener("click", () => move(row, up));
      row.querySelector(".moves").append(button);
    }
    // Those who did not come stand at the end, in nobody's way.
    row.querySelector("input[type=checkbox]").addEventListener("change", (event) => {
      if (!event.target.checked || !row.nextElementSibling) return;
      list.append(row);
      number();
      said.textContent = `${named(row)}: at the end`;
      event.target.focus();
    });
  }
}

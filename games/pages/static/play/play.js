/** The page of a game: what it shows, what may be done, and what happens meanwhile. Everything goes over the public API. */

import "../table/table.js";
import { listen } from "../lobby/stream.js";
import { short } from "../site/times.js";
import { element, lowToHigh } from "../table/cards.js";
import { anyCardOpens, headline, isolated, listed, now, ordinal, together, written } from "../table/words.js";
import { Api, Refused, passes } from "./api.js";
import { Selecting } from "./selecting.js";
import { Telling } from "./telling.js";

const byId = (id) => document.getElementById(id);
const page = JSON.parse(byId("page").textContent);
const table = byId("table");
const RENEWED = 90_000; // presence lasts two minutes
const ACTIVE = 600_000; // without activity for this long nobody is there
const SLOW = 500; // a move that takes longer is said to be on its way

function namesOf(game) {
  return game.players.map(({ seat, player, bot }) => isolated(player?.username ?? (bot && !player ? `bot ${seat + 1}` : `player ${seat + 1}`)));
}

// Until a plan's script is there, for those who may have one.
const NO_PLANS = { kept: null, possible: false, isOpen: false, told: "", numbers: null, async renew() {}, offer() {}, async open() {}, takes: () => false };
// Only rummy has a hand to sort.
const NO_MELDS = { order: lowToHigh, renew() {}, preview() {}, shift() {}, roundOver() {}, laidOut: () => null };

class Page {
  constructor() {
    this.game = page.game;
    this.title = page.game.title;
    this.hasReview = page.hasReview;
    this.maySit = page.maySit;
    /** The seats that agree to call the game off, and whether the reader would rather play on. */
    this.callingOff = new Set(page.callingOff);
    this.playsOn = false;
    /** Another game that waits for the reader, the most urgent one. */
    this.next = null;
    this.at = page.at;
    this.present = [];
    this.telling = new Telling();
    this.seen = 0;
    this.api = new Api({
      base: page.base,
      root: "/api/v1",
      invitation: page.invitation,
      onConnection: (there) => this.telling.connected(there, Boolean(this.sending)),
    });
    this.work = Promise.resolve();
    this.lastActive = performance.now();
    this.selecting = new Selecting([], null, null);
    // Taps before the legal moves came; null once they have.
    this.early = [];
    // Whether everything that belongs to the version shown has come.
    this.isSettled = false;
    this.melds = NO_MELDS;
    this.planning = NO_PLANS;
    this.history = null;
  }

  /** Whether the side lies beside the table. */
  get isWide() {
    return matchMedia("(min-width: 62rem)").matches;
  }

  get table() {
    return table;
  }

  get channels() {
    return page.channels;
  }

  get signedIn() {
    return page.loggedIn;
  }

  get names() {
    return namesOf(this.game);
  }

  get seat() {
    return this.game.your_seat;
  }

  get me() {
    return this.game.players[this.seat]?.player?.id;
  }

  get dealt() {
    return true;
  }

  /** Whether the reader sits here with other people. */
  get hasCompany() {
    return this.seat !== null && this.game.players.some(({ player, seat }) => player && seat !== this.seat);
  }

  get mine() {
    return this.seat !== null && this.game.to_act.includes(this.seat);
  }

  /** Whether a bot plays for the reader, who can take the seat back. */
  get isReplaced() {
    return this.seat !== null && this.running && this.game.players[this.seat].bot !== null;
  }

  get running() {
    return this.game.status === "setup" || this.game.status === "playing";
  }

  /** What is said to a reader who is out of the running game; "" while they play. */
  get gone() {
    const own = this.running && this.game.view?.players[this.seat];
    if (own?.place) return `You are out: ${ordinal(own.place)} place. `;
    // Only whoever resigned has no cards in Three Thirteen.
    return own?.hand_count === 0 && "total" in own ? "You have left this game. " : "";
  }

  /** Whether all people of the running game are at the table now. */
  get together() {
    const people = this.game.players.filter(({ player, bot }) => player && !bot);
    return this.running && people.length > 1 && people.every(({ seat }) => this.present.includes(seat));
  }

  /** Whether the game is over, even if an earlier moment is shown. */
  get ended() {
    return page.ended;
  }

  get past() {
    return this.at !== null;
  }

  // One thing at a time: no answer overtakes the one before.
  queue(step) {
    this.work = this.work.then(step).catch((error) => {
      this.trouble(error);
      if (passes(error)) this.lookLater();
    });
    return this.work;
  }

  /** Ask again for what got lost, less and less often. */
  lookLater() {
    if (this.later) return;
    this.wait = Math.min(2 * (this.wait ?? 500), 15_000);
    this.later = setTimeout(() => {
      this.later = null;
      this.queue(() => this.look());
    }, this.wait);
  }

  async start() {
    this.listenToPeople();
    if (page.hasMelds) await import("./melds.js").then(({ Melds }) => (this.melds = new Melds(this)), (error) => this.trouble(error));
    this.draw({ moves: false });
    this.offerLesson();
    this.sit();
    if (this.past) await this.remember(this.game);
    else await this.queue(() => this.catchUp());
    // Only a panel that has come says whether it hears the stream of a game that is over.
    if (!this.running) await Promise.all(page.panels.map(({ work }) => work));
    listen(page.live, {
      after: () => this.latest,
      onEvents: (heard) => this.queue(() => this.hear(heard)),
      onSilence: () => this.queue(() => this.look()),
      onBegin: () => this.telling.connected(true),
      // Those who played together talk on after the end.
      isOver: () => !this.running && this.game.status !== "open" && !(this.ended && page.panels.some(({ here }) => here?.hear)),
      silence: page.silence,
    });
  }

  /** Offer the lesson once: when this browser opens its first practice table of the game. */
  offerLesson() {
    const note = byId("new-to-it");
    const { game } = this.game;
    if (!note || localStorage.getItem(`trey:offered:${game}`) || localStorage.getItem(`trey:learnt:${game}`)) return;
    localStorage.setItem(`trey:offered:${game}`, "1");
    note.hidden = false;
  }

  /** Load what only those at the table have, once the reader sits there. */
  sit() {
    if (!this.signedIn) return;
    for (const panel of page.panels) if (panel.company ? this.hasCompany : this.seat !== null) panel.work ??= this.watch(import(panel.script).then(({ join }) => (panel.here = join(this, panel.data)).load()));
  }

  /** Load the controls of the history; `shown` is the moment that is shown already. */
  async remember(shown = null) {
    if (this.history) return;
    const { History } = await import("./history.js");
    this.history = new History(this, page.last);
    this.history.ready();
    if (shown) await this.history.open(shown);
  }

  get latest() {
    return this.past ? page.last : this.game.version;
  }

  /** Tell and replay, in two seconds, what happened since this browser last showed the game. */
  async catchUp() {
    const key = `trey:shown:${this.game.id}`;
    const shown = Number(localStorage.getItem(key) ?? 0);
    const events = await this.api.events(shown && shown < this.game.version ? shown : Math.max(0, this.game.version - 12));
    const aloud = shown > 0 && shown < this.game.version;
    this.tell(events, { aloud });
    this.isCaughtUp = true;
    const unseen = shown ? events.filter((event) => event.version > shown) : [];
    const missed = unseen.filter((event) => event.data.move);
    if (missed.length && this.game.view && !document.hidden) await (await import("./replay.js")).replay(this, missed);
    this.melds.roundOver(unseen);
    localStorage.setItem(key, this.game.version);
    await this.settle(aloud);
  }

  /** What the stream sends: events of one append come together. */
  async hear(heard) {
    for (const { name, data } of heard) {
      if (name === "present") this.present = data.present.map(({ seat }) => seat);
      for (const { here } of page.panels) here?.hear?.(name, data);
      if (name === "together") this.say("Everyone is here, so the game can go on right away.");
    }
    const events = heard.filter(({ name }) => name === "moved").map(({ data }) => data);
    if (events.some((event) => event.version > this.latest)) await this.look(events);
    else if (!this.past && heard.some(({ name }) => name === "present" || name === "together")) this.draw({ moves: false });
  }

  /** Get the game, and show what is new and what did not come last time. */
  async look(events = null) {
    const settled = this.isSettled;
    if (!settled) this.api.etag = null;
    this.isSettled = false;
    const game = await this.api.game();
    if (game && game.version > this.latest) {
      const all = events?.at(-1)?.version === game.version && events[0].version <= this.latest + 1;
      await this.arrive(game, all ? events : await this.api.events(this.latest));
    } else if (!settled && !this.past) await (this.isCaughtUp ? this.settle() : this.catchUp());
    this.isSettled = true;
    this.wait = null;
  }

  async arrive(game, events) {
    this.isSettled = false;
    const fresh = events.filter((event) => event.version > this.latest);
    this.history?.grow(game.version);
    page.last = game.version;
    page.ended = game.status === "finished";
    this.tell(fresh, { aloud: true, game });
    if (this.past) {
      this.isSettled = true;
      return;
    }
    this.game = game;
    this.sit();
    this.early ??= [];
    for (const event of fresh) {
      if (event.type === "cancel_agreed") this.playsOn = !this.callingOff.add(event.seat);
      else if (event.data.move && event.type !== "settled") this.callingOff.delete(event.seat);
    }
    const last = fresh.findLast((event) => event.data.move);
    this.draw({ actor: last?.seat ?? null, took: last?.type === "picked_up" });
    this.melds.roundOver(fresh);
    localStorage.setItem(`trey:shown:${game.id}`, game.version);
    await this.settle(fresh.length > 0);
  }

  /** Get what belongs to a new state: legal moves, melds, the plan. `aloud` says what is to be done. */
  async settle(aloud = false) {
    const view = this.game.view;
    const may = view && this.running && (this.mine || view.may_interrupt.includes(this.seat));
    const legal = may && !this.isReplaced ? (await this.api.get("/moves")).moves : [];
    const before = this.selecting;
    this.selecting = new Selecting(legal, view, this.seat);
    if (aloud && this.mine) this.say(this.selecting.sentence(this.names));
    this.selecting.keep(before);
    for (const choice of this.early ?? []) this.selecting.tap(choice);
    this.early = null;
    if (!this.running && !this.wasOver) {
      this.wasOver = true;
      this.history?.ready();
      await this.more();
      this.bar();
      if (this.ended) this.watch(import("./ending.js").then(({ ending }) => ending(this, byId("bar").parentNode)));
      byId("bar").scrollIntoView({ block: "nearest" });
    }
    await this.melds.renew();
    this.chosen();
    this.watch(this.planning.renew());
    this.watch(this.lookAround());
    this.saw();
    this.isSettled = true;
  }

  /** Say that this version is on a visible screen. */
  saw(again = false) {
    const visible = document.visibilityState === "visible" && !this.past && performance.now() - this.lastActive < ACTIVE;
    if (!visible || !page.loggedIn || this.seat === null || (this.seen >= this.game.version && !again)) return;
    this.seen = this.game.version;
    this.api.post("/seen", { version: this.seen }).catch(() => (this.seen = 0));
  }

  draw(how = {}) {
    this.show(this.game, how);
    this.bar();
  }

  show(game, how = {}) {
    byId("typing").hidden = this.seat === null || this.past || !this.running || this.gone !== "";
    document.title = `${this.mine && !this.past ? "● " : ""}${this.title} – Trey`;
    this.waiting = game.view === null;
    table.hidden = this.waiting;
    if (this.waiting) {
      this.watch(import("./around.js").then(({ lobby }) => this.waiting && lobby(this, byId("notes"))));
      return;
    }
    byId("notes").replaceChildren();
    const playing = game === this.game && !this.past && this.seat !== null;
    const play = playing
      ? {
          lit: this.selecting.lit,
          done: this.selecting.done,
          positions: this.selecting.positions,
          position: this.selecting.position,
          targets: this.selecting.targets,
          numbers: this.planning.numbers,
          order: (hand) => this.melds.order(hand),
          isSelected: (...card) => this.selecting.isSelected(...card),
        }
      : null;
    table.show(game.view, { title: play ? null : this.title, names: namesOf(game), seat: game.your_seat, deadlines: this.past ? {} : game.deadlines, present: this.present, replaced: game.players.flatMap(({ player, bot }, index) => (player && bot ? index : [])), clock: !this.past, play, ...how });
    byId("together").hidden = this.past || !this.together;
  }

  /** The bar: the sentence of what is chosen, and one button; what else may be done is smaller. */
  bar() {
    const bar = byId("bar");
    const foot = bar.parentNode;
    const focused = foot.contains(document.activeElement) && document.activeElement.textContent;
    byId("interrupt").replaceChildren();
    foot.classList.toggle("over", !this.running && !this.past);
    // An open plan has a bar of its own, and takes the taps; spectators read above the table how it stands.
    const looksOn = this.seat === null && !this.past;
    bar.hidden = looksOn || (this.game.view === null && !this.past) || (this.planning.isOpen && !this.mine);
    if (bar.hidden) return;
    const { selecting } = this;
    const buttons = [];
    let said = this.gone + selecting.sentence(this.names);
    if (this.onItsWay) {
      said = `On its way: ${this.onItsWay} …`;
    } else if (this.past) {
      // Whose turn it was stands above the table.
      said = [`Step ${this.game.version} of ${page.last}.`, this.history?.said].filter(Boolean).join(" ");
      buttons.push(this.button("Back to now", () => this.now(), "act"));
    } else if (this.isReplaced) {
      said = "A bot plays for you.";
      buttons.push(this.button("Take your seat back", () => this.command("/return"), "act"));
    } else if (!this.running) {
      const end = headline(this.game.view, this.seat, this.seat !== null && this.game.players[this.seat].bot !== null);
      said = element("span", { class: "ending" }, end && element("strong", {}, end), element("span", { class: end ? "small" : null }, now(this.game.view, this.names, this.seat)), page.again && element("span", {}, `${page.again} wants to play again.`));
      if (this.ended && page.loggedIn && !this.game.tournament) buttons.push(this.button("Play again", () => this.rematch(), "act"));
      if (this.ended && page.playsOn) buttons.push(this.button("Play on as a season", () => this.season()));
    } else {
      if (selecting.seat === null) said = now(this.game.view, this.names, this.seat);
      const moves = selecting.moves();
      // A move without cards is the main button only where no card can be played.
      const one = selecting.chosen.length > 0 || selecting.position !== null || selecting.target !== null || moves[0]?.move === "go_out" || (moves.length === 1 && !selecting.lit.size);
      moves.forEach((move, at) => buttons.push(this.button(selecting.label(move), () => this.play(move), one && at === 0 ? "act" : "")));
      if (!moves.length && selecting.legal.length && !selecting.out) buttons.push(element("span", { class: "quiet" }, "Choose a card"));
      if (selecting.chosen.length || selecting.position !== null || selecting.target) buttons.push(this.button("Undo", () => this.undo(), "link"));
      if (this.planning.possible && !this.mine && this.game.status === "playing") {
        said = [said, this.planning.told].filter(Boolean).join(" ");
        buttons.push(this.button(this.planning.kept ? "Change the plan" : "Plan ahead", () => this.planning.open(true)));
      }
      if (this.callingOff.size && !this.gone) this.offerToCallOff(buttons);
      const { view } = this.game;
      // In turn or not, whoever still plays may agree to end a game that stands still, and take it back (S14).
      if (view?.may_settle && !this.gone) buttons.push(this.button(view.settled.includes(this.seat) ? "Play on after all" : "Agree to end the game", () => this.play({ move: "settle" }), "link"));
    }
    if (this.seat !== null && this.running && !this.past && this.callingOff.size) said = `${this.callingOffSaid} ${said}`;
    if (this.next && !this.mine && !this.past) buttons.unshift(this.nextGame());
    byId("sentence").replaceChildren((this.onItsWay ? null : this.melds.laidOut(selecting)) ?? said);
    byId("buttons").replaceChildren(...buttons.reverse());
    bar.classList.toggle("mine", this.mine && !this.past);
    this.interruption();
    // Buttons are drawn again: the focus stays on the one that is still there, or goes back to the cards.
    if (focused) ([...foot.querySelectorAll("button:enabled, a")].find((node) => node.textContent === focused) ?? { focus: () => table.focusHand() }).focus();
  }

  get callingOffSaid() {
    const names = [...this.callingOff].map((seat) => (seat === this.seat ? "You" : this.names[seat]));
    const agree = `${together(names)} ${names.length === 1 && names[0] !== "You" ? "agrees" : "agree"} to call the game off.`;
    return this.callingOff.has(this.seat) ? `${agree} Your next move takes it back.` : agree;
  }

  /** Whoever is asked to call the game off agrees, or plays on. */
  offerToCallOff(buttons) {
    if (this.playsOn || this.callingOff.has(this.seat)) return;
    const playOn = () => {
      this.playsOn = true;
      this.bar();
    };
    buttons.push(this.button("Agree", () => this.command("/cancel")), this.button("Play on", playOn, "link"));
  }

  /** Ask which other game waits for the reader, now that this one does not. */
  async lookAround() {
    const waits = page.loggedIn && !this.mine && !this.past;
    const turns = waits ? await this.api.turns() : [];
    this.next = turns.find(({ id }) => id !== this.game.id) ?? null;
    this.bar();
  }

  nextGame() {
    const { id, title, players, your_seat: own, deadlines } = this.next;
    const others = namesOf(this.next).filter((_, seat) => players[seat].seat !== own);
    const due = deadlines[own];
    const left = due ? [", ", element("time", { datetime: due, "data-form": "short" }, short(new Date(due)))] : [];
    return element("a", { class: "button", href: `/games/${id}` }, `Next: ${title} with ${listed(others)}`, ...left);
  }

  /** Leave the past. */
  now() {
    const query = this.api.invitation ? `?${new URLSearchParams({ invitation: this.api.invitation })}` : "";
    location.assign(location.pathname + query);
  }

  /** A button that takes no second press while it is busy, and shows it. */
  button(text, act, kind = "") {
    const node = element("button", { type: "button", class: kind || null }, text);
    node.addEventListener("click", () => {
      const done = node.hasAttribute("aria-busy") ? null : act();
      if (!done?.then) return;
      node.setAttribute("aria-busy", "true");
      this.watch(done).finally(() => node.removeAttribute("aria-busy"));
    });
    return node;
  }

  /** Castle's interruption: in a place of its own, and a press must begin there, so that no tap meant for something else hits it. */
  interruption() {
    const move = this.past ? null : this.selecting.interruption;
    if (!move) return;
    const node = element("button", { type: "button", class: "act" }, `${this.selecting.label(move)} (${written(move.cards)})`);
    let pressed = false;
    node.addEventListener("pointerdown", () => (pressed = true));
    node.addEventListener("click", (event) => (pressed || event.detail === 0) && this.play(move));
    byId("interrupt").replaceChildren(element("p", {}, "You may interrupt."), node);
    this.say(`You may interrupt: ${this.selecting.label(move)}.`);
  }

  undo() {
    if (this.sending) return;
    this.selecting.clear();
    this.chosen();
  }

  chosen() {
    this.draw({ moves: false });
    this.melds.preview(this.selecting);
  }

  tap(choice) {
    if (choice.zone === "clock") {
      this.watch(import("./clock.js").then(({ explain }) => explain(this, choice.position)));
      return;
    }
    if (this.planning.takes(choice)) return;
    if (this.early && !this.past) {
      this.early.push(choice);
      return;
    }
    const move = this.selecting.tap(choice);
    if (move) this.play(move);
    else this.chosen();
    if (this.selecting.out && this.selecting.chosen.length) byId("interrupt").querySelector("button").focus();
    if (this.selecting.stray) this.say(this.selecting.sentence(this.names));
  }

  play(move) {
    if (this.sending) return this.sending;
    byId("bar").setAttribute("aria-busy", "true");
    const label = this.selecting.label(move);
    const { version } = this.game;
    const slow = setTimeout(() => {
      this.onItsWay = `${label[0].toLowerCase()}${label.slice(1)}`;
      this.say("On its way.");
      this.bar();
    }, SLOW);
    const answered = () => {
      clearTimeout(slow);
      this.onItsWay = null;
    };
    // A tap meanwhile is meant for the next state.
    this.early = [];
    // The next move can be sent while parts of the new state are still on their way.
    const sent = () => {
      if (this.sending !== step) return;
      this.sending = null;
      byId("bar").removeAttribute("aria-busy");
    };
    const step = this.queue(async () => {
      this.isSettled = false;
      try {
        const { game, events } = await this.api.command("/moves", move, version).finally(answered);
        sent();
        this.api.etag = null;
        this.selecting = new Selecting([], game.view, this.seat);
        await this.arrive(game, events);
        this.planning.offer();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (error.code === "stale_version") error.message = "The game moved on before this arrived, so it was not played.";
        this.trouble(error);
        this.api.etag = null;
        const game = await this.api.game();
        await this.arrive(game, await this.api.events(this.latest));
      } finally {
        sent();
      }
    });
    this.sending = step;
    this.bar();
    return step;
  }

  /** Send another command, such as taking the seat back, and look at the game again. */
  command(path, body = {}) {
    return this.queue(async () => {
      await this.api.post(path, body);
      this.api.etag = null;
      const game = await this.api.game();
      await this.arrive(game, await this.api.events(this.latest));
    });
  }

  /** Load preferences and the ways out when they are opened. */
  async more() {
    if (byId("more").open) (await import("./around.js")).aside(this);
  }

  rematch() {
    return this.queue(async () => {
      const room = await this.api.post("/rematch", {});
      location.assign(`/rooms/${room.id}`);
    });
  }

  /** Who leads over the year? */
  season() {
    return this.queue(async () => location.assign(await this.api.season(this.game.id)));
  }

  tell(events, { aloud = false, game = this.game } = {}) {
    this.telling.tell(events, { aloud, names: namesOf(game), seat: this.seat, view: game.view });
  }

  say(text) {
    this.telling.say(text);
  }

  trouble(error) {
    this.telling.trouble(error);
  }

  /** Say what goes wrong in something that nobody waits for. */
  watch(work) {
    return work.catch((error) => this.trouble(error));
  }

  /** Do what is typed, once what was played before is on the table. */
  obey(line) {
    byId("answer").textContent = `${line} …`;
    const { typed } = this;
    const step = async () => {
      const { obey } = await import("./typed.js");
      await typed;
      if (this.sending || !this.isSettled) await this.work;
      await obey(this, line);
    };
    this.typed = this.watch(step());
  }

  listenToPeople() {
    table.addEventListener("choose", ({ detail }) => this.tap(detail));
    table.addEventListener("shift", ({ detail }) => this.melds.shift(detail));
    document.addEventListener("visibilitychange", () => !document.hidden && this.queue(() => this.look()).then(() => this.saw(true)));
    for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => (this.lastActive = performance.now()), { passive: true });
    setInterval(() => this.saw(true), RENEWED);
    window.addEventListener("online", () => this.queue(() => this.look()));
    // By the player's stream, which the bell reads.
    document.addEventListener("moved", ({ detail }) => detail.some((id) => id !== this.game.id) && this.watch(this.lookAround()));
    byId("history").addEventListener("toggle", () => this.queue(() => this.remember()), { once: true });
    byId("history").addEventListener("toggle", ({ target }) => target.open && table.scrollIntoView({ block: "nearest" }));
    byId("more").addEventListener("toggle", () => this.watch(this.more()));
    const typing = byId("typing");
    typing.open = this.isWide;
    byId("command").addEventListener("submit", (event) => {
      event.preventDefault();
      const line = byId("line");
      if (line.value.trim()) this.obey(line.value);
      line.value = "";
    });
    document.addEventListener("keydown", (event) => {
      const elsewhere = event.target.closest?.("input, textarea, select");
      if (event.key === "Escape" && !elsewhere) this.undo();
      if (event.key !== "/" || elsewhere || typing.hidden) return;
      event.preventDefault();
      typing.open = true;
      byId("line").focus();
    });
  }
}

if (page.anyCardOpens) anyCardOpens.add(page.game.game);
const shown = new Page();
table.page = shown;
shown.watch(shown.start());

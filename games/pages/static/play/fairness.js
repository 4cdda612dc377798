/** Was the shuffle fair? docs/build/fairness.md in JavaScript, with WebCrypto. It asks the server for nothing but the three documents. */

const PLAIN = [..."SHDC"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
const JOKERS = [...PLAIN, "XR", "XB"];
const SCHEME = "trey-fairness/1";

const bytes = (text) => new TextEncoder().encode(text);
const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

function joined(...parts) {
  return Uint8Array.from(parts.flatMap((part) => [...(typeof part === "string" ? bytes(part) : part)]));
}

/** The JSON of the salts in ASCII without spaces, as Python's json.dumps writes it. */
function inAscii(salts) {
  return JSON.stringify(salts).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

async function hmac(key, message) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

export async function commitment(secret) {
  return hex(await crypto.subtle.digest("SHA-256", joined(SCHEME, "\0commitment\0", secret)));
}

export async function keyOf(secret, salts) {
  return hmac(secret, joined(SCHEME, "\0key\0", inAscii(salts)));
}

/** The numbers of a label, 32 bits each, block by block. */
export async function* stream(key, label) {
  for (let block = 0; ; block++) {
    const count = new Uint8Array(8);
    new DataView(count.buffer).setUint32(4, block);
    const digest = new DataView((await hmac(key, joined(label, "\0", count))).buffer);
    for (let at = 0; at < 32; at += 4) yield digest.getUint32(at);
  }
}

export async function below(n, numbers) {
  for (;;) {
    const { value } = await numbers.next();
    if (value < Math.floor(2 ** 32 / n) * n) return value % n;
  }
}

export async function shuffled(cards, numbers) {
  const order = [...cards];
  for (let i = order.length - 1; i > 0; i--) {
    const j = await below(i + 1, numbers);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Check a finished game. Returns one `{ what, holds }` for each thing that was checked. */
export async function check(fairness, record, events) {
  const secret = unhex(fairness.secret);
  const deck = record.shuffles[0].includes("XR") ? JOKERS : PLAIN;
  const found = [{ what: "The secret is the one that was committed to before anybody sat down.", holds: (await commitment(secret)) === fairness.commitment }];
  const key = await keyOf(secret, fairness.salts);
  found.push({ what: "The dealer follows from the secret and everyone's salts.", holds: (await below(record.seats, stream(key, "dealer"))) === record.dealer });
  let pile = [];
  const shuffles = [];
  for (const { type, data } of events) {
    const move = data.move ?? {};
    if (data.shuffle) {
      shuffles.push(data.shuffle);
      const cards = type === "dealt" ? Array(Math.floor(data.shuffle.length / deck.length)).fill(deck).flat() : pile.slice(0, -1);
      const order = await shuffled(cards, stream(key, `shuffle ${shuffles.length}`));
      found.push({ what: `Shuffle ${shuffles.length} (${cards.length} cards) also follows from them.`, holds: `${order}` === `${data.shuffle}` });
      pile = "discard_top" in data ? [data.discard_top] : pile.slice(-1);
    } else if (move.from === "discard") pile.pop();
    else if (type === "discarded" || type === "went_out") pile.push(move.card ?? move.discard);
  }
  const all = JSON.stringify(shuffles) === JSON.stringify(record.shuffles) && shuffles.length === fairness.shuffles;
  found.push({ what: "There were no other shuffles.", holds: all });
  return found;
}

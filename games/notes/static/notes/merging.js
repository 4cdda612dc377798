/** Two texts that were made from one, put together. Loaded when two devices, or two pages, wrote at once. */

const wordsOf = (text) => text.match(/\s*\S{1,20}|\s+$/gu) ?? [];

/** Where each word of `base` is in `text`, if it is still there (a longest common subsequence); nowhere if a third is gone. */
function kept(base, text) {
  const [before, after] = [base, text].map((words) => words.map((word) => word.trim()));
  const most = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) most[i][j] = before[i] === after[j] ? most[i + 1][j + 1] + 1 : Math.max(most[i + 1][j], most[i][j + 1]);
  }
  const places = new Map();
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    if (before[i] === after[j]) places.set(i++, j++);
    else if (most[i + 1][j] >= most[i][j + 1]) i++;
    else j++;
  }
  return 3 * places.size < 2 * before.length ? new Map() : places;
}

/** What stands in place of `base` where `mine` and `theirs` do, all of them words. */
function both(base, mine, theirs, gap) {
  const [was, own, other] = [base, mine, theirs].map((words) => words.join(""));
  if (other === was) return own;
  if (own === was || other.startsWith(own)) return other;
  if (own.startsWith(other)) return own;
  const [at, there] = [own.indexOf(was), other.indexOf(was)];
  // Both wrote on, within the same word. A few letters may be the same by accident.
  if (was.length > 3 && at >= 0 && there >= 0) {
    const between = (...texts) => both([], ...texts.map(wordsOf), " ");
    return between(own.slice(0, at), other.slice(0, there)) + was + between(own.slice(at + was.length), other.slice(there + was.length));
  }
  const [short, long] = mine.length < theirs.length ? [mine, theirs] : [theirs, mine];
  const common = kept(short, long);
  if (common.size) return woven(short.filter((_, place) => common.has(place)), mine, theirs);
  return other + (/\s$/.test(other) || /^\s/.test(own) ? "" : gap) + own;
}

function woven(base, mine, theirs) {
  const [here, there] = [kept(base, mine), kept(base, theirs)];
  const stable = [...here.keys()].filter((at) => there.has(at));
  let [text, from] = ["", [0, 0, 0]];
  for (const at of [...stable, null]) {
    const to = at === null ? [] : [at, here.get(at), there.get(at)];
    const parts = [base, mine, theirs].map((words, n) => words.slice(from[n], to[n]));
    text += both(...parts, stable.length ? " " : "\n\n");
    if (at === null) break;
    text += mine[to[1]] === base[at] ? theirs[to[2]] : mine[to[1]];
    from = to.map((place) => place + 1);
  }
  return text;
}

/** A text with what `mine` and what `theirs` changed of `base`: what they have in common is there once. */
export const merged = (...texts) => woven(...texts.map(wordsOf));

// Texts as Swift sees them: as characters, each of which may have several code units, and equal however they are composed.

let segmenter;
const segments = (text) => (segmenter ??= new Intl.Segmenter()).segment(text);

export const countOf = (text) => (/^[ -~]*$/.test(text) ? text.length : [...segments(text)].length);

/** Returns a text without differences of case: `ß` as `ss`, but `ı` is no `i`. */
const folded = (text) => text.toLowerCase().replace(/[^\0-\x7fı]/gu, (letter) => letter.toUpperCase().toLowerCase()).normalize();

/** Whether a text has the characters of another one, ignoring case. */
export function contains(text, part) {
  [text, part] = [folded(text), folded(part)];
  const isEdge = (place) => place === text.length || segments(text).containing(place).index === place;
  for (let place = text.indexOf(part); place >= 0; place = text.indexOf(part, place + 1)) {
    if (isEdge(place) && isEdge(place + part.length)) return true;
  }
  return false;
}

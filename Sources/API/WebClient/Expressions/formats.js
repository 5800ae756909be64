// Formats of values: `name | capital`. Those that depend on the language are in localized.js.

import { textOf } from './truth.js';

/** The page's language, if it is valid. */
export const language = supported(globalThis.document?.documentElement.lang);

function supported(language) {
  try {
    return Intl.getCanonicalLocales(language || [])[0];
  } catch {
    return undefined;
  }
}

export const isNumber = (value) => value !== null && value !== '' && Number.isFinite(Number(value));

export const realMinus = (text) => text.replace('-', '−');

export const formats = {
  __proto__: null, // a name is a format only if it is added
  signed: (value) => realMinus(textOf(value)),
  // The word for one or for others; or that behind the name of the language's case, else the last: `one plik few pliki other pliku`.
  plural: (value, ...words) => words.at(words[2] ? words.indexOf(new Intl.PluralRules(language).select(value)) + 1 || -1 : Number(value) === 1 ? 0 : 1),
  px: (value) => (isNumber(value) ? `${value}px` : ''),
  upper: (value) => textOf(value).toLocaleUpperCase(language),
  lower: (value) => textOf(value).toLocaleLowerCase(language),
  capital: (value) => textOf(value).replace(/^./u, (first) => first.toLocaleUpperCase(language)),
  trim: (value) => textOf(value).trim(),
  json: (value) => JSON.stringify(value ?? null, null, 2),
  or: (value, ...words) => (textOf(value?.length === 0 ? '' : value) === '' ? words.join(' ') : value),
};

/** For texts that change though no State does, as time or a new format: the number of passes, and what each shows anew. */
export const moment = { count: 0, renderings: new Set() };

export function pass() {
  moment.count++;
  for (const render of moment.renderings) render();
}

/** Adds a format: `format('stars', (value) => '★'.repeat(value))`, used as `rating | stars`. */
export function format(name, show) {
  formats[name] = show;
  pass();
}

export const isUnknown = (name) => name !== undefined && !formats[name];

/** Whether a format's text may change while the value does not. */
export const isFleeting = (name) => name === 'relative' || isUnknown(name);

/** Returns a formatted value; a format that no script has added yet leaves the value as it is. */
export const formatted = (name, value, words) => (formats[name] ? formats[name](value, ...words) : value);

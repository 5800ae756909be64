// The language of the attributes: each expression is parsed once into a function of a scope. No code of the page is run.

import { contains } from './characters.js';
import { formatted, isFleeting } from './formats.js';
import { isNumeric, order } from './numbers.js';
import { isBuiltIn, read } from './scopes.js';
import { caseOf, isSame, isYes, textOf } from './truth.js';

// An expression is a function `(scope, control) => value` with `uses`: what it reads, as [{up, path}].

/** Whether two values are equal as Swift has it: numbers in any form, texts with the same characters. */
const isEqual = (one, other) => (isNumeric(one) && isNumeric(other) ? order(one, other) === 0
  : isSame(one, other) || typeof one === 'string' && typeof other === 'string' && one.normalize() === other.normalize());

/** Whether a text contains another one, ignoring case, or an array an element. */
const has = (one, other) => (Array.isArray(one) ? one.some((element) => isEqual(element, other)) : contains(textOf(one), textOf(other)));

/** Returns NaN for a missing value, as it is neither smaller nor larger than any other. */
const ordered = (value) => (typeof value === 'string' ? value.normalize() : value ?? NaN);

/** Returns a number that is negative, 0 or positive as two values are ordered; NaN if they have no order. */
function ranked(one, other) {
  if (isNumeric(one) && isNumeric(other)) return order(one, other);
  [one, other] = [ordered(one), ordered(other)];
  return one < other ? -1 : one > other ? 1 : one <= other ? 0 : NaN;
}

const comparisons = new Map([
  ['<', (...values) => ranked(...values) < 0],
  ['>', (...values) => ranked(...values) > 0],
  ['<=', (...values) => ranked(...values) <= 0],
  ['>=', (...values) => ranked(...values) >= 0],
  ['has', has],
]);

const isQuoted = (token) => /^['"]./.test(token);

/** Returns functions that read a source token by token. */
export function parserOf(source) {
  const tokens = source.match(/'[^']*'|"[^"]*"|[^\s'"(),:|]+|\S/g) ?? [];
  const uses = [];
  let place = 0;

  const isNext = (pattern, ahead = 0) => pattern.test(tokens[place + ahead] ?? '');
  const takes = (token) => tokens[place] === token && Boolean(++place);
  const wants = (token) => {
    if (takes(token)) return;
    const found = tokens[place];
    throw new Error(!found ? `“${token}” is missing at the end` : token ? `“${token}” should stand before “${found}”` : `“${found}” is not understood here`);
  };

  function joined(word, part, combined) {
    let whole = part();
    while (takes(word)) {
      const [one, other] = [whole, part()];
      whole = (scope, control) => combined(one(scope, control), () => other(scope, control));
    }
    return whole;
  }

  const either = () => joined('or', both, (one, other) => (isYes(one) ? one : other()));
  const both = () => joined('and', negated, (one, other) => isYes(one) && other());

  function negated() {
    if (!takes('not')) return compared();
    const inner = negated();
    return (...place) => !isYes(inner(...place));
  }

  function compared() {
    const one = value();
    const compares = comparisons.get(tokens[place]);
    if (compares) {
      place++;
      const other = value();
      return (...place) => compares(one(...place), other(...place));
    }
    if (!takes('is')) return one;
    const isWanted = !takes('not');
    const isName = isNext(/^(?!(true|false|null)$)[\p{L}_][\p{L}\p{N}_-]*$/u);
    const name = tokens[place];
    if (one.path && isName) uses.at(-1).is = name;
    const other = isName ? void place++ : value();
    return (...place) => (isName ? caseOf(one(...place)) === name : isEqual(one(...place), other(...place))) === isWanted;
  }

  function value() {
    const token = tokens[place++] ?? '';
    if (token === '(') {
      const inner = piped();
      wants(')');
      return inner;
    }
    if (isQuoted(token)) return () => token.slice(1, -1);
    if (/^(true|false|null|-?\d+(\.\d+)?)$/.test(token)) return () => JSON.parse(token);
    const [, viewModel, name = '', member] = /^@([\p{L}_][\p{L}\p{N}_-]*)(?:\/([^.]+))?\.([^@]+)$/u.exec(token) ?? [];
    const [, points, path = ''] = /^(\.*)((?:(?:\$\.?)?[\p{L}_]|\b\p{N})[\p{L}\p{N}_.-]*)?$/u.exec(member ?? (token || '?')) ?? [];
    if (points === undefined || viewModel && points) throw new Error(`“${token}” is no value`);
    const isAlone = path.startsWith('$.'); // `$.id` is built in, even if a field has the name `id`
    const use = { up: points.length, path: isAlone ? path.replace('.', '') : path, isAlone, ...viewModel && { of: { viewModel, name } } };
    if (isAlone && !isBuiltIn(use.path)) throw new Error(`“${token}” is not built in`);
    uses.push(use);
    return Object.assign((scope, control) => read(use, scope, control), use);
  }

  function piped() {
    let whole = either();
    while (takes('|')) {
      const [inner, name, words] = [whole, tokens[place++], []];
      while (isNext(/^[^(),:|]/)) words.push(isQuoted(tokens[place]) ? tokens[place++].slice(1, -1) : tokens[place++]);
      if (isFleeting(name)) uses.push({ up: 0, path: '$moment', format: name });
      whole = (...place) => formatted(name, inner(...place), words);
    }
    return whole;
  }

  return { uses, isNext, takes, wants, piped, next: () => tokens[place++] };
}

/** Parses `isOpen and cart.count`; a source with braces is a text. */
export function expression(source) {
  if (source.includes('{')) return template(source);
  const { uses, piped, wants } = parserOf(source);
  const whole = piped();
  wants();
  return Object.assign(whole, { uses });
}

/** Parses `isEditing: true, tab: 'all'` into a function that returns an object. */
export function assignments(source) {
  const { uses, takes, wants, piped, next } = parserOf(source);
  const members = [];
  do {
    const name = next();
    wants(':');
    members.push([name, piped()]);
  } while (takes(','));
  wants();
  const names = members.map(([name]) => name);
  return Object.assign((...place) => Object.fromEntries(members.map(([name, value]) => [name, value(...place)])), { uses, names });
}

/** Parses a text with expressions in braces: `{remaining} left`. `{{` stands for one brace. */
export function template(source) {
  const parts = source.match(/\{\{|\{('[^']*'|"[^"]*"|[^'"{}])*\}|[^{]+|\{/g)?.map((part) => {
    if (part === '{') throw new Error('a brace does not end; {{ is one that is text');
    return part === '{{' ? '{' : part[0] === '{' ? expression(part.slice(1, -1)) : part;
  }) ?? [];
  return Object.assign((...place) => parts.map((part) => (part.uses ? textOf(part(...place)) : part)).join(''), { uses: parts.flatMap((part) => part.uses ?? []) });
}

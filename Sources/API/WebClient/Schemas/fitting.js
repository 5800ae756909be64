// Turns the texts and numbers of fields into the JSON of the view model's Swift types.

import { conversions } from './conversions.js';

const kindsOf = (schema = {}) => schema.anyOf?.flatMap(kindsOf) ?? [schema];

/** Returns a schema without `null` as an alternative. */
export const kindOf = (schema) => kindsOf(schema).find(({ type }) => type !== 'null') ?? {};

export const isOptional = (schema) => kindsOf(schema).some(({ type }) => type === 'null');

/** Whether any text will do, even an empty one. */
export const isText = (kind) => !Object.keys(kind).length || kind.type === 'string' && (!kind.format || kind.format === 'password') && !kind.pattern;

/** Returns a number; the text itself if it is none, which the service refuses. */
function number(text) {
  const number = text[2] === ':' ? Date.parse(`1970-01-01T${text}Z`) / 1000 : Number(text);
  return text.trim() && Number.isFinite(number) ? number : text;
}

/** Returns why a value cannot be the number that a schema asks for. */
export function mistakeIn(value, schema) {
  const { type, pattern } = kindOf(schema);
  if (type === 'integer' && value % 1) return 'Enter a whole number.';
  return typeof value === 'string' && (/^(number|integer)$/.test(type) || pattern && !RegExp(pattern).test(value)) ? 'Enter a number, such as 1.5.' : '';
}

/** Returns a value as a schema asks for it; NaN if there is none, and the schema needs one. `near` is the date that a field held. */
export function fitting(value, schema, field, near) {
  const kind = kindOf(schema);
  const { type, format, pattern, items, enum: values } = kind;
  if (type === 'array' && value !== null) return [value].flat().map((one) => fitting(one, items, field, near)).filter((one) => !Number.isNaN(one));
  if (Number.isNaN(value) || value === '' && !isText(kind) && !values?.includes('')) return isOptional(schema) ? null : NaN;
  if (typeof value === 'number') return pattern ? String(value) : value;
  if (typeof value !== 'string') return value;
  if (values) return values.find((one) => String(one) === value) ?? value;
  if (type === 'boolean') return { __proto__: null, true: true, false: false }[value] ?? value;
  if (format === 'date-time' && !/[zZ]|[+-]\d\d:\d\d$/.test(value)) return conversions.date?.sent(value, field, near);
  if (format === 'date') return value.length === 7 ? `${value}-01` : value.split('T')[0];
  if (pattern) return RegExp(pattern).test(value) ? value : String(number(value));
  return type === 'number' || type === 'integer' ? number(value) : value;
}

// What fields hold, as Swift's types are written in JSON: a view model has its own types, a field has texts and numbers.

/** A day, a month and a time are UTC; `datetime-local` is the browser's own time. */
function dateText(text) {
  const date = new Date(/^\d\d:/.test(text) ? `1970-01-01T${text}Z` : text);
  return isNaN(date) ? text : date.toISOString();
}

function number(text) {
  const number = /^\d\d:/.test(text) ? Date.parse(`1970-01-01T${text}Z`) / 1000 : Number(text);
  return text.trim() && Number.isFinite(number) ? number : text; // which the service refuses
}

/** As a schema asks for it; NaN where there is nothing to send, as a field is empty that should not be. */
export function fitting(value, schema) {
  const kinds = schema?.anyOf ?? [schema ?? {}];
  const { type, format, pattern } = kinds.find((kind) => kind.type !== 'null') ?? {};
  const isText = !schema || type === 'string' && (!format || format === 'password') && !pattern;
  if (Number.isNaN(value) || value === '' && !isText) return kinds.some((kind) => kind.type === 'null') ? null : NaN;
  if (typeof value === 'number') return pattern ? String(value) : value;
  if (typeof value !== 'string') return value;
  if (format === 'date-time' && !/[zZ]|[+-]\d\d:\d\d$/.test(value)) return dateText(value);
  return type === 'number' || type === 'integer' ? number(value) : value;
}

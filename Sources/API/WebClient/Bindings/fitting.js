// Turns the texts and numbers of fields into the JSON of the view model's Swift types.

/** Returns an ISO date. A date, a month and a time are UTC; `datetime-local` is in the browser's time zone. */
function dateText(text) {
  const date = new Date(/^\d\d:/.test(text) ? `1970-01-01T${text}Z` : text);
  return isNaN(date) ? text : date.toISOString();
}

function number(text) {
  const number = /^\d\d:/.test(text) ? Date.parse(`1970-01-01T${text}Z`) / 1000 : Number(text);
  return text.trim() && Number.isFinite(number) ? number : text; // the service refuses such a text
}

/** Returns a value as a schema asks for it; NaN if a field that must not be empty is. */
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

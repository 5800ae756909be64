// What the user has entered in fields, as the view model's Swift types: the schema decides, not the kind of field.

import { dom } from '../Page/dom.js';
import { fitting, isOptional, isText, kindOf, mistakeIn } from '../Schemas/fitting.js';
import { fieldsNamed, fieldValue, isDated, isTextField, shownIn, textsOf, valueNamed } from './values.js';

/** Returns the value of `$name`, or the control's own, as a schema asks for it; NaN without one that the Input needs, or with a wrong one. */
export function entered(control, schema, name) {
  const kind = kindOf(schema);
  const isOwn = name === undefined && !(kind.type === 'array' && dom(control).type === 'checkbox' && control.name);
  const fields = isOwn ? [control] : fieldsNamed(control, name ?? control.name);
  const [field] = fields;
  const value = field && isFixed(fields, kind) ? fitting((isOwn ? fieldValue(control) : valueNamed(control, name)) ?? null, schema) : chosen(fields, schema, kind);
  // What is no number at all is empty for the browser, but not for the user.
  if (fields.some((field) => dom(field).validity?.badInput)) return NaN;
  const isNone = Number.isNaN(value) && field && isTextField(field) && field.value.trim();
  const mistake = mistakeIn(isNone ? field.value : value, isNone ? { type: 'number' } : schema);
  if (!mistake || !dom(field)?.setCustomValidity) return value;
  field.setCustomValidity(mistake);
  field.addEventListener('input', () => field.setCustomValidity(''), { once: true });
  return NaN;
}

/** Whether the type of a value is that of its fields: without a schema, and where they can hold no other one. */
function isFixed(fields, kind) {
  const [field, another] = fields;
  const { type, localName } = dom(field);
  if (!Object.keys(kind).length || localName?.includes('-')) return true;
  if (type === 'checkbox') return kind.type === 'boolean' || kind.type !== 'array' && (another?.type === type || !dom(field).hasAttribute('value'));
  return type === 'select-multiple' ? kind.type !== 'array' : isText(kind) && typeof fieldValue(field) === 'number';
}

/** Returns what fields hold: for an array all that is chosen, else the last. Without a choice, a text is empty. */
function chosen(fields, schema, kind) {
  const one = kind.items ?? kind;
  const isDate = kindOf(one).format === 'date-time';
  // What the user has not changed stays as it is, with all that a field cannot show.
  const isKept = (field) => shownIn(field).text === String(textsOf(field));
  const all = shownIn(fields[0]).value;
  const isList = Array.isArray(all);
  if (isList && kind.type === 'array' && fields.every(isKept)) return all;
  const values = fields.flatMap((field) => textsOf(field).map((text) => {
    const { value: known } = shownIn(field);
    const isFit = known === null ? isOptional(schema)
      : isDated(field) ? typeof known === 'number' || known?.includes?.('T') === isDate : typeof known === 'string' || !isList && Object(known) === known;
    return isFit && isKept(field) ? known : fitting(text, one, field, Date.parse(known));
  }));
  if (kind.type === 'array') return fitting(values, schema);
  const [last = isOptional(schema) ? null : ''] = values.slice(-1);
  return fitting(last, schema);
}

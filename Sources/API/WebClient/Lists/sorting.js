// The order of a list by a member of its rows, as a reader of the page's language expects it.

import { formatter } from '../Expressions/localized.js';
import { isNumeric, order as difference } from '../Expressions/numbers.js';
import { textOf } from '../Expressions/truth.js';
import { valueAt } from '../Session/paths.js';

/** Returns rows sorted by a member; in descending order if `-` stands before its name. */
export function sorted(rows, order) {
  const path = textOf(order).replace(/^-/, '');
  const sign = path === order ? 1 : -1;
  if (!path) return rows;
  const { compare } = formatter(Intl.Collator, { numeric: true });
  const keys = new Map(rows.map((row) => [row, valueAt(row, path)]));
  // Digits within other texts count as the collator has them, also those of versions such as 1.10.
  const areNumbers = [...keys.values()].every((key) => isNumeric(key) || textOf(key) === '');
  const by = (one, other) => (areNumbers && isNumeric(one) && isNumeric(other) ? difference(one, other) : compare(textOf(one), textOf(other)));
  return [...rows].sort((one, other) => sign * by(keys.get(one), keys.get(other)));
}

// Rows in which the user types: they stay until the user leaves them.

import { run } from '../Bindings/plans.js';
import { complain } from '../Fields/messages.js';
import { dom } from '../Page/dom.js';
import { editedIn, onceLeft } from '../Page/focus.js';
import { elementsOf } from './rows.js';

/** Removes a row; a row in which the user types stays until they leave it. */
export function take({ kept, remove }, row) {
  const elements = elementsOf(row);
  if (!editedIn(...elements)) return remove(row);
  kept.add(row);
  onceLeft(elements, () => { if (kept.has(row)) remove(row); });
}

/** Updates a kept row: one that only `data-where` leaves out works as before, a deleted one sends nothing. */
export function keep({ remove, itemOf }, row) {
  const { scope: its } = row;
  const item = itemOf(its.key);
  if (item !== undefined) {
    Object.assign(its, { row: item, isDue: false });
    return bringBack(row);
  }
  if (its.isOver) return undefined;
  const field = editedIn(...elementsOf(row));
  if (!field) return remove(row);
  its.isOver = true;
  run(row.updates);
  return complain(field, 'This was deleted elsewhere. What you type here is not saved.');
}

export function bringBack(row) {
  const fields = row.scope.isOver ? elementsOf(row).flatMap((element) => [...dom(element).querySelectorAll('[aria-invalid]')]) : [];
  row.scope.isOver = false;
  for (const field of fields) complain(field, '');
  run(row.updates);
}

// How lists order and move their rows: as State has them, and at once, until the second module adds more.

import { dom } from '../Page/dom.js';

export const ways = {
  /** Returns rows in the order that `data-sort` asks for. */
  sorted: (rows) => rows,
  /** Returns a function that moves elements from their present places to those at the time of the call. */
  gliding: () => undefined,
  animated: () => {},
  /** Removes a row of a list `{kept, remove, itemOf}`; the second module keeps one for a while, and brings it back. */
  take: ({ remove }, row) => remove(row),
  takeOut: (element) => dom(element).remove(),
};

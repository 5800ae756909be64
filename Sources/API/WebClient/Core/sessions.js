// The sessions of a page.

import { Session } from './session.js';

const sessions = new Map();

/** The page's session of that view model, and of that name, if there are several. */
export function session(viewModel, { name = '', parameters } = {}) {
  const key = JSON.stringify([viewModel, name]);
  if (!sessions.has(key)) sessions.set(key, new Session(viewModel, name, parameters));
  return sessions.get(key);
}

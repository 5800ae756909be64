// The sessions of a page.

import { knownSession, remember } from './known.js';
import { Session } from './session.js';

/** Returns the page's session of a view model, and of a name if there are several. */
export const sessionNamed = (viewModel, name, parameters) =>
  knownSession(viewModel, name) ?? remember(new Session(viewModel, name, parameters));

/** Returns a session for a script, and follows it for as long as the page exists. */
export function session(viewModel, { name = '', parameters } = {}) {
  const its = sessionNamed(viewModel, name, parameters);
  its.join();
  return its;
}

// The sessions of a page.

import { knownSession, remember } from './known.js';
import { Session } from './session.js';

/** Returns the page's session of a view model, and of a name: the user's own one of that name, or the shared one. */
export const sessionNamed = (viewModel, name, parameters, isShared) =>
  knownSession(viewModel, name, isShared) ?? remember(new Session(viewModel, name, parameters, isShared));

/** Returns a session for a script, and follows it for as long as the page exists. */
export function session(viewModel, { shared, name = shared ?? '', parameters } = {}) {
  const its = sessionNamed(viewModel, name, parameters, shared !== undefined);
  its.join();
  return its;
}

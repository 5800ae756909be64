// The sessions of a page.

import { knownSession, remember } from './known.js';
import { Session } from './session.js';

/** The page's session of that view model, and of that name, if there are several. */
export const sessionNamed = (viewModel, name, parameters) =>
  knownSession(viewModel, name) ?? remember(new Session(viewModel, name, parameters));

/** For a script, which shows it for as long as the page is there. */
export function session(viewModel, { name = '', parameters } = {}) {
  const its = sessionNamed(viewModel, name, parameters);
  its.join();
  return its;
}

// The sessions of a page, by view model and name.

export const sessions = new Map();
const keyOf = (viewModel, name) => JSON.stringify([viewModel, name]);

export const knownSession = (viewModel, name) => sessions.get(keyOf(viewModel, name));

export function remember(session) {
  sessions.set(keyOf(session.viewModel, session.name), session);
  return session;
}

// The sessions of a page, by view model and name.

export const sessions = new Map();
const keyOf = (...parts) => JSON.stringify(parts);

export const knownSession = (viewModel, name, isShared = false) => sessions.get(keyOf(viewModel, name, isShared));

export function remember(session) {
  sessions.set(keyOf(session.viewModel, session.name, session.isShared), session);
  return session;
}

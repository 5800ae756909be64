// The sessions of a view model that this browser knows: those of its console, and those of its pages.

import { browserStorage } from '../Service/storage.js';
import { service } from './service.js';

const most = 20;

export class KnownSessions {
  #place;
  #pages;

  constructor(viewModel) {
    const path = new URL(service).pathname.slice(1) + viewModel;
    this.#place = `uifusion.console.${path}`;
    this.#pages = `uifusion.session.${path}.`;
  }

  /** `{id, parameters}` of each session, the one that was opened last first. */
  get all() {
    const own = JSON.parse(browserStorage.getItem(this.#place) ?? '[]');
    const ofPages = browserStorage.keys().filter((key) => key.startsWith(this.#pages))
      .map((key) => browserStorage.getItem(key))
      .filter((id) => !own.some((one) => one.id === id));
    return [...own, ...ofPages.map((id) => ({ id }))];
  }

  find(id) { return this.all.find((one) => one.id === id) ?? { id }; }

  /** Puts a session first. */
  remember(session) { this.#keep([session, ...this.#without(session.id)]); }

  forget(id) { this.#keep(this.#without(id)); }

  #without(id) { return this.all.filter((one) => one.id !== id); }

  #keep(sessions) { browserStorage.setItem(this.#place, JSON.stringify(sessions.slice(0, most))); }
}

/** Returns the session id in the page's address: behind `#`, which stays in the browser. */
export const addressed = () => new URLSearchParams(location.hash.slice(1)).get('session');

export const addressOf = (id) => `#session=${encodeURIComponent(id)}`;

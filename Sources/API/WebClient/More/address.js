// A field's value in the page's address, so that a link opens the same view.

import { own } from '../Core/prefix.js';
import { caseOf } from '../Bindings/truth.js';
import { isTextField } from '../Bindings/values.js';

const places = new Map(); // by the name in the address

/** An address that names no choice of a group, or of a list, is not followed. */
function canHold({ type, name, options }, text) {
  const choices = options ?? (type === 'radio' && document.getElementsByName(name));
  return !choices || [...choices].some(({ value }) => value === text);
}

/** What ties a field with `data-address` to the address. */
export function followAddress(element, field) {
  const name = own(element).address;
  if (!name) return undefined;
  const place = places.get(name) ?? {};
  places.set(name, place);
  const inAddress = () => new URLSearchParams(location.search).get(name);
  let isOpened = false;
  addEventListener('popstate', () => {
    const text = inAddress() ?? '';
    const isNamed = element.type !== 'radio' || element.value === text; // of a group only the one that has the value
    if (!element.isConnected || !isNamed || text === (place.asked ?? place.text)) return;
    place.asked = text;
    field.propose(text);
  });

  return {
    /** The user chose what the field holds: going back leads to what it held before. */
    wasChosen() { place.isOurs = true; },

    /** State has a value, and nothing of the field is on its way. The first one gives way to the address's. */
    follow({ version }, value) {
      if (!version) return; // what a new session begins with is no session's State
      place.asked = undefined;
      const [text, wanted] = [String(caseOf(value) ?? ''), inAddress()];
      const gives = !isOpened && wanted !== null && wanted !== text && canHold(element, wanted);
      // A hidden field is where the user is: each change is a step to go back to.
      const isStep = place.isOurs && !isTextField(element) || isOpened && element.type === 'hidden';
      isOpened = true;
      if (text === place.text && !gives) return;
      place.text = text;
      if (gives) return field.propose(wanted);
      const url = new URL(location.href);
      if (text) url.searchParams.set(name, text);
      // Servers and browsers take no address of any length.
      if (!text || url.href.length > 4000) url.searchParams.delete(name);
      const change = isStep ? 'pushState' : 'replaceState';
      if (text !== (wanted ?? '')) history[change](history.state, '', url);
      place.isOurs = false;
    },
  };
}

/** A link to a session that leads to nothing is not followed again. */
export function forgetAddressed() {
  const url = new URL(location.href);
  url.searchParams.delete('session');
  const fragment = new URLSearchParams(url.hash.slice(1));
  if (fragment.has('session')) url.hash = '';
  history.replaceState(history.state, '', url);
}

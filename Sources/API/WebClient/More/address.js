// `data-address="page"`: keeps a field's value in the page's address, so that a link opens the same view.

import { caseOf } from '../Expressions/truth.js';
import { isTextField } from '../Fields/values.js';
import { fieldOf } from '../Page/bound.js';
import { own } from '../Page/prefix.js';
import { inputsOf } from '../Schemas/known.js';

const places = new Map(); // by the name in the address; a group's radio buttons share one

/** Whether a field can hold a text: a group or a select, only one of its choices. */
function canHold({ type, name, options }, text) {
  const choices = options ?? (type === 'radio' && document.getElementsByName(name));
  return !choices || [...choices].some(({ value }) => value === text);
}

export const address = {
  name: 'address',
  isLate: true,
  plan: (element) => own(element).address,

  apply(element, scope, name) {
    const field = fieldOf(element);
    if (field) field.address = followed(element, field, name);
  },
};

function followed(element, field, name) {
  const place = places.get(name) ?? {};
  places.set(name, place);
  const isNamed = (text) => element.type !== 'radio' || element.value === text; // of a group, only the radio button with the value
  const inAddress = () => new URLSearchParams(location.search).get(name);
  addEventListener('popstate', () => {
    const text = inAddress() ?? '';
    if (!element.isConnected || !isNamed(text) || text === (place.asked ?? place.text)) return;
    place.asked = text;
    field.propose(text);
  });

  return {
    /** The user has chosen the field's value: the Back button leads to the value before. */
    wasChosen() { place.isOurs = true; },

    /** Follows State's value, when no entry of the field is on its way. At first, the address's value takes precedence. */
    follow(session, value) {
      // Not a preview, which is no session's State, nor before the field may send.
      if (!session.version || !inputsOf(session)) return;
      place.asked = undefined;
      const [text, wanted] = [String(caseOf(value) ?? ''), inAddress()];
      const gives = !place.isOpened && !place.isOurs && wanted !== null && wanted !== text && canHold(element, wanted);
      if (gives && !isNamed(wanted)) return;
      // A hidden field says where the user is: each change is a step in the history.
      const isStep = place.isOurs && !isTextField(element) || place.isOpened && element.type === 'hidden';
      place.isOpened = true;
      if (text === place.text && !gives) return;
      place.text = text;
      if (gives) return field.propose(wanted);
      const url = new URL(location.href);
      if (text) url.searchParams.set(name, text);
      // Servers and browsers limit an address's length.
      if (!text || url.href.length > 4000) url.searchParams.delete(name);
      const change = isStep ? 'pushState' : 'replaceState';
      if (text !== (wanted ?? '')) history[change](history.state, '', url);
      place.isOurs = false;
    },
  };
}

/** Removes a session that is gone from the page's address. */
export function forgetAddressed() {
  const url = new URL(location.href);
  url.searchParams.delete('session');
  const fragment = new URLSearchParams(url.hash.slice(1));
  if (fragment.has('session')) url.hash = '';
  history.replaceState(history.state, '', url);
}

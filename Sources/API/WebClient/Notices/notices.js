// Notices of a session: the Inputs that wait or were given up, and the session's end.

import { dom } from '../Page/dom.js';
import { elementOf } from '../Page/elements.js';
import { leave } from '../Page/focus.js';
import { wordsOf } from '../Page/words.js';
import { unreachable } from '../Service/request.js';
import { alertOf, placeOfNotices } from './alerts.js';
import { watchLogin } from './login.js';

const noticed = new WeakSet();

/** Returns Inputs in words; made from the Input if it is secret, of a script or an older client, or older than this module. */
const lines = ({ inputs, words = [] }) => inputs.map((input, place) => words[place] || wordsOf(input));

/** Shows a session's notices, once for each session, if its container is still on the page. */
export function showNotices(session, container) {
  if (noticed.has(session) || !dom(container).isConnected) return;
  noticed.add(session);
  watchLogin(session);
  const place = placeOfNotices(container);
  const status = elementOf('p', { className: 'notice', ariaLive: 'polite' });
  place.append(status);
  const sync = synced((element) => place.append(element));
  const list = waitingList(session);
  const ask = (event) => event.preventDefault();

  const show = () => {
    const { connection, waiting, notice, givenUp, endReason, trouble } = session;
    const isWaiting = waiting.length && (trouble || /stale|offline/.test(connection));
    const why = connection === 'offline' ? 'You are offline.' : trouble || unreachable;
    const text = isWaiting ? `${why} ${waiting.length} change${waiting.length > 1 ? 's' : ''} will be sent.` : trouble;
    if (status.textContent !== text) status.textContent = text;
    if (!isWaiting) list.remove();
    else if (!list.isConnected) status.after(list);
    list.ontoggle();
    // The Inputs wait in this tab alone: asks before it closes.
    (isWaiting ? addEventListener : removeEventListener)('beforeunload', ask);

    const wanted = new Map();
    for (const entry of givenUp) wanted.set(entry, [entry.reason, lines(entry), 'Dismiss', () => session.dismiss(entry)]);
    if (notice) wanted.set('notice', [notice, [], 'Dismiss', () => session.dismissNotice()]);
    if (connection === 'ended') wanted.set('end', [endReason, [], 'Start a new session', () => session.restart()]);
    sync(wanted, alertOf);
  };
  for (const change of ['queue', 'connection']) session.addEventListener(change, show);
  show();
}

/** Returns a function that shows an element for each key, and keeps it for as long as its words are the same. */
function synced(put) {
  const shown = new Map();
  return (wanted, elementFor) => {
    for (const [key, { element, words }] of shown) {
      if (words === JSON.stringify(wanted.get(key))) continue;
      leave(element);
      element.remove();
      shown.delete(key);
    }
    for (const [key, values] of wanted) {
      if (shown.has(key)) continue;
      const element = elementFor(...values);
      shown.set(key, { element, words: JSON.stringify(values) });
      put(element);
    }
    return shown;
  };
}

/** Returns a list of the waiting Inputs, oldest first; those that were not sent have a button to withdraw them. */
function waitingList(session) {
  const list = elementOf('ul');
  const sync = synced((item) => list.append(item));
  const details = elementOf('details', { className: 'notice' }, elementOf('summary', {}, 'What waits'), list);
  details.ontoggle = () => {
    const wanted = details.open ? session.waiting.map((entry) => [entry, [entry.words ?? wordsOf(entry.input, entry.isSecret), () => session.withdraw(entry)]]) : [];
    for (const [entry, { element }] of sync(new Map(wanted), itemOf)) element.lastChild.hidden = session.isSent(entry);
  };
  return details;
}

const itemOf = (ariaDescription, onclick) => elementOf('li', {}, ariaDescription, ' ',
  elementOf('button', { type: 'button', className: 'small', ariaDescription, onclick }, 'Withdraw'));

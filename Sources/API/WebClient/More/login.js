// A login that ends while the page is open. What is done then is in a module of its own, as hardly any page needs it.

import { fieldOf } from '../Bindings/fields.js';
import { sessions } from '../Core/known.js';
import { own } from '../Core/prefix.js';
import { Refusal, address, parsed, request, senderPlace, unreachable } from '../Core/request.js';
import { sharedStream } from '../Core/sharing.js';
import { browserStorage, keep, tabStorage } from '../Core/storage.js';
import { alertOf, placeOfNotices } from './notices.js';

const tools = { alertOf, browserStorage, fieldOf, keep, own, parsed, placeOfNotices, request, senderPlace, sessions, tabStorage };
const rest = () => import(address('uifusion-login.js'));

/** Waits until the user of this page is signed in, and sends a request again. */
export const renew = (response, again) => rest().then((its) => its.renew(tools, response, again), () => { throw new Refusal(unreachable); });

/** Finds out by itself whether the page's user is signed in, and who it is, where another tab has the stream. */
export function watchLogin(session) {
  session.addEventListener('connection', () => {
    const { connection, id, version } = session;
    const isUnknown = connection === 'live' && !sharedStream().isLeading && !tabStorage.getItem(senderPlace);
    if (id && (connection === 'stale' || isUnknown)) {
      request('GET', `sessions/${id}`, { headers: { 'If-None-Match': `"${version}"` } }).catch(() => {});
    }
  });
  if (tabStorage.getItem('uifusion.left')) rest().then((its) => its.comeBack(tools, session));
}

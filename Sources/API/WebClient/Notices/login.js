// Handles a login that ends while the page is open. The code is in a module of its own, as only pages of signed-in users need it;
// they load it early, before the network or the login may be lost.

import { fieldOf } from '../Page/bound.js';
import { leave } from '../Page/focus.js';
import { own } from '../Page/prefix.js';
import { address } from '../Service/address.js';
import { build } from '../Service/more.js';
import { Refusal, parsed, request, senderPlace, unreachable } from '../Service/request.js';
import { browserStorage, tabStorage } from '../Service/storage.js';
import { backoff } from '../Service/timing.js';
import { sessions } from '../Session/known.js';
import { pageStream } from '../Session/page-stream.js';
import { alertOf, placeOfNotices } from './alerts.js';

const tools = { Refusal, address, alertOf, backoff, browserStorage, fieldOf, leave, own, parsed, placeOfNotices, senderPlace, sessions, tabStorage };
let attempts = 0; // a browser may remember that an address has failed
let coming;
let isAsked = false;

// One attempt at a time: two by one address would fail together.
const rest = () => coming ||= import(address(`uifusion-login.js?v=${build}&again=${attempts++}`)).catch((error) => {
  coming = 0;
  throw error;
});

/** Handles a response to nobody or to another user; if that fails, the request may be retried. */
export const renew = (response, again) => rest().then((its) => its.renew(tools, response, again)).catch((error) => {
  throw error instanceof Refusal ? error : new Refusal(unreachable);
});

/** Finds out the page's user, also if another tab has the stream, and watches the session for the end of the login. */
export function watchLogin(session) {
  const look = () => {
    if (tabStorage.getItem(senderPlace)) rest().then((its) => its.watch(tools, session)).catch(() => {});
    else if (session.connection === 'live' && !isAsked && !pageStream().isLeading) {
      isAsked = true;
      request('GET', `sessions/${session.id}`, { headers: { 'If-None-Match': `"${session.version}"` } }).then(look, () => {});
    }
  };
  session.addEventListener('connection', look);
  look();
}

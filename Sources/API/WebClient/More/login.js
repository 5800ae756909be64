// A login that ends while the page is open. What is done then is in a module of its own: only pages whose sender the service
// knows need it, and have it before it is hard to get.

import { leave } from '../Bindings/focus.js';
import { fieldOf } from '../Bindings/fields.js';
import { sessions } from '../Core/known.js';
import { build } from '../Core/more.js';
import { own } from '../Core/prefix.js';
import { Refusal, address, parsed, request, senderPlace, unreachable } from '../Core/request.js';
import { sharedStream } from '../Core/sharing.js';
import { browserStorage, keep, tabStorage } from '../Core/storage.js';
import { backoff } from '../Core/timing.js';
import { alertOf, placeOfNotices } from './notices.js';

const tools = { Refusal, address, alertOf, backoff, browserStorage, fieldOf, keep, leave, own, parsed, placeOfNotices, senderPlace, sessions, tabStorage };
let failures = 0; // a browser may remember that an address has failed
let isAsked = false;

const rest = () => import(address(`uifusion-login.js?v=${build}&again=${failures}`)).catch((error) => {
  failures++;
  throw error;
});

/** Decides what becomes of an answer to nobody, or to somebody else; whatever goes wrong, the request may be sent again. */
export const renew = (response, again) => rest().then((its) => its.renew(tools, response, again)).catch((error) => {
  throw error instanceof Refusal ? error : new Refusal(unreachable);
});

/** Finds out whose the page is, where another tab has the stream, and has it watched. */
export function watchLogin(session) {
  const look = () => {
    if (tabStorage.getItem(senderPlace)) rest().then((its) => its.watch(tools, session)).catch(() => {});
    else if (session.connection === 'live' && !isAsked && !sharedStream().isLeading) {
      isAsked = true;
      request('GET', `sessions/${session.id}`, { headers: { 'If-None-Match': `"${session.version}"` } }).then(look, () => {});
    }
  };
  session.addEventListener('connection', look);
  look();
}

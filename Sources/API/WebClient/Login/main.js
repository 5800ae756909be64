// `/uifusion-login.js`, for pages of signed-in users: after the login has ended, the user signs in again and goes on; after a
// logout, nothing of theirs stays in the browser. The bundle imports nothing, but is handed `tools` of the client.

import { attempt } from '../Service/attempts.js';

const slotName = 'uifusion-login';
/** The milliseconds for which text that was typed before a login may be put back. */
const leftLifetime = 3600_000;
/** Returns this service's key in the browser's storage, as the client writes it. */
const placeOf = (kind) => tools.senderPlace.replace('sender', kind);
const here = () => location.pathname + location.search + location.hash;
const held = new Set(); // functions that end the wait of requests; with true, the request is sent again at once
const watched = new WeakSet();
let tools;
let known; // the sessions of the page
let leftPlace;
let channel; // tells the other tabs that another user is signed in, or nobody
let wasSignedIn = false; // whether there was a user in this browser before nobody was signed in
let isConfirmed = false; // whether the service has confirmed that the tab's user is signed in
let hasLeft = false; // whether the page was left for the login
let isBack = false; // whether the user is back from the login
let isGivenUp = false;
let covered; // the focus and the scroll position of the covered page
let shown = 0; // the HTTP status that the alert is about, 0 without alert
let alert;
let probing;
let timer;

/**
 * Resolves to the service's response to the tab's user: the request is sent again once they are signed in. After some seconds,
 * throws a passing Refusal: the caller knows for how long to retry.
 */
export async function renew(its, response, again) {
  begin(its);
  const isHis = await judge(response);
  if (![401, 412].includes(response.status)) return response;
  if (isHis || await pause()) return again();
  throw new tools.Refusal('It waits until you are signed in.');
}

const pause = () => new Promise((resolve) => {
  held.add(resolve);
  setTimeout(() => {
    held.delete(resolve);
    resolve(false);
  }, 5000 + 5000 * Math.random());
});

/** Watches a session of the page, and puts back what the user typed before they left for the login. */
export async function watch(its, session) {
  begin(its);
  if (!session.id) return;
  if (!isConfirmed) await probe();
  if (watched.has(session)) return;
  watched.add(session);
  const put = () => comeBack(session);
  session.addEventListener('state', put);
  put();
}

function begin(its) {
  if (tools) return;
  tools = its;
  known = () => [...tools.sessions.values()];
  leftPlace = placeOf('left');
  const listen = () => {
    channel = attempt(() => new BroadcastChannel(`uifusion login ${tools.address('')}`));
    if (channel) channel.onmessage = probe;
  };
  listen();
  addEventListener('focus', probe); // the user may have signed in in another window
  addEventListener('pagehide', () => { channel = attempt(() => channel.close()); });
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    listen();
    cameBack();
    probe();
  });
}

/** Asks the service who is signed in. */
const probe = () => probing ??= ask().finally(() => { probing = undefined; });

async function ask() {
  const session = known().find(({ id }) => id);
  if (!session && !shown) return;
  const mark = tools.tabStorage.getItem(tools.senderPlace);
  const response = await fetch(tools.address(`sessions/${session?.id ?? '-'}`), {
    cache: 'no-store',
    headers: { 'If-None-Match': `"${session?.version}"`, ...mark && { 'If-Sender': mark } },
    signal: AbortSignal.timeout(10_000),
  }).catch(() => null);
  if (response) await judge(response);
}

/** Resolves to whether a response is for the tab's user, which may be a new one. */
async function judge(response) {
  const { browserStorage, tabStorage, senderPlace } = tools;
  if (response.status === 401) {
    const { type } = await response.clone().json().catch(() => null) ?? {};
    const hasLoggedOut = type?.endsWith('/logged-out');
    wasSignedIn ||= hasLoggedOut || Boolean(tabStorage.getItem(senderPlace) || browserStorage.getItem(senderPlace));
    return hasLoggedOut && forget() || show(401);
  }
  const sender = response.headers.get('Sender');
  if (!sender) return false;
  const mark = tabStorage.getItem(senderPlace);
  // The first digits differ if the service has a new secret: then the mark says nothing.
  const isOther = mark && mark !== sender && mark.slice(0, 8) === sender.slice(0, 8);
  if (isOther && isTouched()) return show(412);
  if (isOther && isSeen()) {
    // Requests on their way stay those of the former user.
    cover(true);
    startAnew();
    return false;
  }
  if (isOther) clear(tabStorage);
  tabStorage.setItem(senderPlace, sender);
  claim(sender);
  isConfirmed = true;
  show(0);
  return true;
}

const isSeen = () => known().some(({ version }) => version);

/** Whether the page has Inputs or text that its former user could lose. */
const isTouched = () => known().some(({ waiting }) => waiting.length) || queueKeys().length > 0
  || isSeen() && keyedFields().some(([, field]) => isTyped(field));

/** Makes the storage that all tabs share the present user's, and clears that of another. */
function claim(sender) {
  const { browserStorage, senderPlace } = tools;
  const before = browserStorage.getItem(senderPlace);
  if (before === sender) return;
  if (before) clear(browserStorage, (text) => known().some(({ id }) => id === text));
  browserStorage.setItem(senderPlace, sender);
  attempt(() => channel.postMessage(0));
}

/**
 * Returns the client's keys for this service; not the tab's id, and not those of a service below a longer path, which is known by
 * the key of its mark.
 */
function keysOf(storage) {
  const restOf = (key) => /^uifusion\.(?!tab\.)\w+\.\/?(.*)/s.exec(key)?.[1];
  const path = restOf(tools.senderPlace);
  const keys = storage.keys().filter((key) => restOf(key)?.startsWith(path));
  const longer = keys.filter((key) => key.startsWith('uifusion.sender.')).map(restOf).filter((other) => other !== path);
  return keys.filter((key) => !longer.some((other) => restOf(key).startsWith(other)));
}

const queueKeys = () => keysOf(tools.tabStorage).filter((key) => key.startsWith('uifusion.queue.'));

function clear(storage, isKept = () => false) {
  if (storage === tools.browserStorage) attempt(() => caches.delete('uifusion'));
  for (const key of keysOf(storage)) if (!isKept(storage.getItem(key))) storage.removeItem(key);
}

/** Removes what the browser and the page have of a user who has logged out. Returns whether the tab has no user now. */
function forget() {
  const { browserStorage, tabStorage, senderPlace } = tools;
  clear(browserStorage);
  if (known().some(({ id }) => id)) {
    startAnew();
    return false;
  }
  const wasHis = tabStorage.getItem(senderPlace) !== null;
  clear(tabStorage);
  return wasHis;
}

/** Drops the waiting Inputs, and reloads the page for the user who is signed in. */
function startAnew() {
  if (isGivenUp) return;
  isGivenUp = true;
  // Clears last: until then requests need the mark, and the queue may be stored again.
  addEventListener('pagehide', () => clear(tools.tabStorage));
  leave(() => location.reload());
}

// MARK: The alert

function show(status) {
  if (status === shown) return false;
  shown = status;
  attempt(() => channel.postMessage(status));
  clearTimeout(timer);
  if (alert) tools.leave(alert);
  alert?.remove();
  if (status) {
    const [first, ...others] = [...signIn(), ...status === 412 ? [['Discard and start anew', startAnew]] : []];
    alert = tools.alertOf(sentenceOf(status), [], ...first);
    for (const other of others) alert.append(tools.alertOf('', [], ...other).lastChild);
    if (status === 412) cover(true);
    if (covered) showModal(alert);
    else tools.placeOfNotices().append(alert);
    askAgain(0);
  } else {
    cover(false);
    if (hasLeft) cameBack();
    for (const resolve of held) resolve(true);
    held.clear();
  }
  return false;
}

function sentenceOf(status) {
  if (status === 412) return `Somebody else is signed in now.${isDoubtful() ? ' Some of what waits may have been saved already.' : ''}`;
  return `${wasSignedIn ? 'You are signed out. ' : ''}Sign in to go on.`;
}

/** Whether a waiting Input, of this page or an earlier one, may have been applied; secret ones are not stored. */
const isDoubtful = () => known().some((session) => session.waiting[0]?.isSecret && session.isSent(session.waiting[0]))
  || queueKeys().some((key) => tools.parsed(tools.tabStorage.getItem(key))?.batch?.unanswered);

/** Shows the alert above all dialogs of the page: only elements above a modal dialog can be clicked. */
function showModal(element) {
  alert = Object.assign(document.createElement('dialog'), { ariaLabel: 'Login', slot: slotName, tabIndex: -1 });
  alert.append(element);
  const open = () => {
    if (!alert.isConnected) return;
    alert.showModal();
    alert.focus(); // not a button: a key may be meant for a field
  };
  alert.onclose = open;
  document.body.append(alert);
  open();
}

/** Covers the page but for the alert, or shows it again: the elements stay, but the shadow root has no slot for them. */
function cover(isWanted) {
  if (isWanted === Boolean(covered)) return;
  const { body, activeElement } = document;
  const root = body.shadowRoot ?? body.attachShadow({ mode: 'open' });
  const slot = root.firstChild ?? root.appendChild(document.createElement('slot'));
  if (isWanted) {
    covered = { activeElement, scrollY };
    slot.name = slotName;
  } else {
    slot.name = '';
    covered.activeElement?.focus({ preventScroll: true });
    scrollTo(0, covered.scrollY);
    covered = undefined;
  }
}

function askAgain(failures) {
  timer = setTimeout(async () => {
    await probe();
    if (shown) askAgain(failures + 1);
  }, tools.backoff(failures) * 1000);
}

/** Returns the alert's buttons: as `<html data-login="/login?return=">` or `data-login-window` says, or by neither. */
function signIn() {
  const { login, loginWindow = login } = tools.own(document.documentElement);
  if (!loginWindow) return [['Try again', probe]];
  return [['Sign in', () => {
    const address = loginWindow + (loginWindow.endsWith('=') ? encodeURIComponent(here()) : '');
    const opened = !login && open(address, 'uifusion-login', 'popup,width=480,height=640');
    if (!opened) return leaveFor(address);
    const timer = setInterval(() => {
      if (shown) probe();
      else opened.close();
      if (opened.closed) clearInterval(timer);
    }, 1000);
  }]];
}

/** Leaves the page without the question that notices ask while Inputs wait. */
function leave(act) {
  addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true);
  act();
}

// MARK: On the same page

function leaveFor(address) {
  for (const [, field] of keyedFields()) tools.fieldOf(field)?.flush();
  const { tabStorage, senderPlace } = tools;
  const text = JSON.stringify({ address: here(), time: Date.now(), scroll: scrollY, sender: tabStorage.getItem(senderPlace), values: typed() });
  tabStorage.setItem(leftPlace, text);
  hasLeft = true;
  const go = () => location.assign(address);
  // If Inputs are not stored (secret ones, those behind them, those without room), the user is asked.
  const isStored = known().every(({ id, waiting }) => keysOf(tabStorage).filter((key) => key.startsWith(placeOf('queue') + `${id}.`)).length >= waiting.length);
  if (isStored && tabStorage.isWhole()) leave(go);
  else go();
}

/** Returns the values that only the page has, by the keys of the fields. */
function typed() {
  const values = {};
  for (const [key, field] of keyedFields()) {
    if (isTyped(field) && !/password|file|hidden/.test(field.type)) values[key] = field[memberOf(field)];
  }
  return values;
}

function isTyped(field) {
  const its = tools.fieldOf(field);
  if (its && !its.local) return its.isUnsent();
  const { options, selectedIndex, multiple, size, value, defaultValue, checked, defaultChecked } = field;
  if (memberOf(field) === 'checked') return checked !== defaultChecked;
  if (options) {
    const first = multiple || size > 1 || !options.length ? -1 : 0;
    return selectedIndex !== Math.max(first, [...options].findIndex(({ defaultSelected }) => defaultSelected));
  }
  // A colour or a range has a value even without a default.
  const fresh = field.cloneNode();
  fresh.value = defaultValue;
  return value !== fresh.value;
}

/** Drops the stored texts, as the page itself has come back. */
function cameBack() {
  tools.tabStorage.removeItem(leftPlace);
  hasLeft = false;
}

/** Puts back what was typed, once the page has a State; only for the same user, and not over newer text. */
function comeBack(session) {
  const { tabStorage, senderPlace } = tools;
  const left = !hasLeft && isConfirmed && session.version && tools.parsed(tabStorage.getItem(leftPlace));
  if (!left || left.address !== here()) return;
  const isHis = !left.sender || left.sender === tabStorage.getItem(senderPlace);
  if (!isHis || Date.now() - left.time > leftLifetime) return tabStorage.removeItem(leftPlace);
  for (const [key, field] of keyedFields()) {
    if (!(key in left.values)) continue;
    const value = left.values[key];
    delete left.values[key];
    if (tools.fieldOf(field)?.isUnsent()) continue;
    field[memberOf(field)] = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  // Some fields come with a later State; after a while, the rest is dropped.
  tabStorage.setItem(leftPlace, JSON.stringify(left));
  if (isBack) return;
  isBack = true;
  scrollTo(0, left.scroll);
  setTimeout(() => tabStorage.removeItem(leftPlace), 10_000);
}

const memberOf = ({ type }) => (/checkbox|radio/.test(type) ? 'checked' : 'value');

/** Returns `[key, field]` for each field; the key has its name and its index among the fields of that name. */
function keyedFields() {
  const counts = new Map();
  return [...document.querySelectorAll('input, select, textarea')].map((field) => {
    const name = field.id || field.name || tools.own(field).input || tools.own(field).value;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return [`${name} ${counts.get(name)}`, field];
  });
}

// Inputs that wait while nobody or another user is signed in: they are sent once, by their own user, or not at all.

import assert from 'node:assert/strict';
import test, { beforeEach, mock } from 'node:test';

const stopTime = () => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1e12 });
stopTime();

class Storage extends Map {
  getItem(name) { return this.get(name) ?? null; }
  setItem(name, text) { this.set(name, String(text)); }
  removeItem(name) { this.delete(name); }
}
const proxied = (storage) => new Proxy(storage, {
  ownKeys: () => [...storage.keys()],
  getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  get: (target, name) => (typeof target[name] === 'function' ? target[name].bind(target) : target[name]),
});
const tabStorage = proxied(new Storage());
const browserStorage = proxied(new Storage());
globalThis.window = { sessionStorage: tabStorage, localStorage: browserStorage };
const listeners = new Map();
globalThis.addEventListener = (type, listener) => listeners.set(type, [...listeners.get(type) ?? [], listener]);
globalThis.BroadcastChannel = class { postMessage() {} close() {} };

/** Returns the service's mark of a user; its beginning depends on the service's secret. */
const markOf = (name, secret = '00000000') => name && secret + name;

/** The signed-in user, the Inputs that the service has applied, and what else a test sets or reads. */
let user, applied, requests, reloads, isLoggedOut, isAnswerLost, secret;

/** The time at which the service first got each key, which it knows for a day. */
const known = new Map();

globalThis.fetch = async (url, { method = 'GET', body, headers }) => {
  requests.push({ method, headers });
  const its = markOf(user, secret);
  const fields = { ...its && { Sender: its } };
  const problem = (status, type) => new Response(JSON.stringify({ type: `/problems/${type}` }), {
    status, headers: { 'Content-Type': 'application/problem+json', ...fields },
  });
  if (!user) return problem(401, isLoggedOut ? 'logged-out' : 'unauthenticated');
  if (headers['If-Sender'] && headers['If-Sender'] !== its) return problem(412, 'other-sender');
  const key = headers['Idempotency-Key'];
  if (body && !(Date.now() - known.get(key) < 24 * 3600_000)) applied.push([user, JSON.parse(body)]);
  if (body) known.set(key, known.get(key) ?? Date.now());
  if (body && isAnswerLost) throw new TypeError('lost');
  return new Response(null, { status: 204, headers: { ETag: '"7"', ...fields } });
};

const { loadMore, more } = await import('../../Sources/API/WebClient/Service/more.js');
const { InputQueue } = await import('../../Sources/API/WebClient/Session/queue.js');
const { address, placeOf } = await import('../../Sources/API/WebClient/Service/address.js');
const request = await import('../../Sources/API/WebClient/Service/request.js');
const storages = await import('../../Sources/API/WebClient/Service/storage.js');
const { backoff } = await import('../../Sources/API/WebClient/Service/timing.js');

/** The page's alert: {sentence, label, act}. */
let alert;

async function until(condition) {
  for (let turn = 0; turn < 10_000 && !condition(); turn++) {
    mock.timers.tick(turn % 20 ? 0 : 1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(condition());
}

/** Opens a new page with the login's module. */
async function open(sessions = new Map(), settings = {}) {
  const its = await import(`../../Sources/API/WebClient/Login/main.js?page=${Math.random()}`);
  const tools = {
    Refusal: request.Refusal, address, backoff, leave: () => {}, parsed: request.parsed,
    ...storages, senderPlace: request.senderPlace, sessions,
    own: () => settings, fieldOf: () => undefined,
    alertOf: (sentence, lines, label, act) => ({
      sentence, label, act, lastChild: { label, act }, others: [],
      append(other) { this.others.push(other); },
      remove() { alert = undefined; },
    }),
    placeOfNotices: () => ({ append: (element) => { alert = element; } }),
  };
  more.renew = (response, again) => its.renew(tools, response, again);
  more.watch = (session) => its.watch(tools, session);
  const queue = new InputQueue({ storage: tabStorage, changed: () => {}, gone: () => {} });
  queue.start('S');
  return queue;
}

const add = (queue, input, options) => {
  const done = queue.add(input, options);
  done.catch(() => {});
  return done;
};

beforeEach(() => {
  mock.timers.reset(); // ends what the pages of other tests still do
  stopTime();
  tabStorage.clear();
  browserStorage.clear();
  listeners.clear();
  [user, applied, requests, reloads, alert, isLoggedOut, isAnswerLost, secret] = ['ada', [], [], 0];
  slot.name = '';
});
mock.method(console, 'warn', () => {});
mock.method(console, 'error', () => {});
let fields = [];
const slot = {};
const body = { shadowRoot: { firstChild: slot }, append() {} };
const dialog = () => ({ append: (element) => { alert = element; }, remove() { alert = undefined; } });
globalThis.document = { documentElement: { dataset: {} }, body, querySelectorAll: () => fields, createElement: dialog };
/** Whether the page shows nothing but the alert. */
const isCovered = () => slot.name === 'uifusion-login';
globalThis.location = { pathname: '/', search: '', hash: '', reload() { reloads++; }, assign() {} };
Object.assign(globalThis, { scrollY: 0, scrollTo() {} });
const leavePage = () => { for (const listener of listeners.get('pagehide') ?? []) listener(); };

/** A session of the page. */
const shownSession = (queue) => Object.defineProperties(Object.assign(new EventTarget(), { id: 'S', version: 1 }), {
  waiting: { get: () => queue?.waiting ?? [] },
  isSent: { value: (entry) => queue.isSent(entry) },
});
// The second module does not come, and is given up.
loadMore();
mock.timers.tick(10_000);

test('a request after the first carries the mark of its user', async () => {
  const queue = await open();
  await add(queue, 'a');
  await add(queue, 'b');
  assert.deepEqual(requests.map(({ headers }) => headers['If-Sender']), [undefined, markOf('ada')]);
});

test('an Input waits while nobody is signed in, and is applied once', async () => {
  const queue = await open();
  await add(queue, 'a');
  user = undefined;
  const all = [add(queue, 'b'), add(queue, 'c')];
  await until(() => alert);
  assert.equal(alert.sentence, 'You are signed out. Sign in to go on.');
  assert.equal(alert.label, 'Try again');
  assert.equal(queue.waiting.length, 2);
  user = 'ada';
  alert.act();
  await until(() => !queue.waiting.length);
  await Promise.all(all);
  assert.deepEqual(applied, [['ada', 'a'], ['ada', ['b', 'c']]]);
  await until(() => !alert);
});

test('whoever was not signed in is not told that they are signed out', async () => {
  await open();
  user = undefined;
  const sent = request.request('GET', 'sessions/S');
  await until(() => alert);
  assert.equal(alert.sentence, 'Sign in to go on.');
  user = 'ada';
  alert.act();
  await sent;
  await until(() => !alert);
});

test('an Input is not sent by another user, but once its own is back', async () => {
  const queue = await open(new Map([['', shownSession()]]));
  await add(queue, 'a');
  user = 'bob';
  add(queue, 'b');
  await until(() => alert);
  assert.equal(alert.sentence, 'Somebody else is signed in now.');
  assert.ok(isCovered());
  await until(() => requests.length > 5);
  assert.deepEqual(applied, [['ada', 'a']]);
  user = undefined;
  await until(() => alert.sentence.startsWith('You are signed out'));
  assert.ok(isCovered(), 'the other user may still look');
  user = 'ada';
  await until(() => !queue.waiting.length);
  await until(() => !isCovered());
  assert.deepEqual(applied, [['ada', 'a'], ['ada', 'b']]);
});

test('a page without changes is covered and reloaded when another user signs in', async () => {
  await open(new Map([['', shownSession()]]));
  await request.request('GET', 'sessions/S');
  user = undefined;
  request.request('GET', 'sessions/S').catch(() => {});
  await until(() => alert);
  assert.ok(!isCovered());
  user = 'bob';
  await until(() => reloads);
  assert.ok(isCovered());
  leavePage();
  assert.equal(tabStorage.size, 0);
});

test('requests that wait for a login are not sent by another user', async () => {
  await open(new Map([['', shownSession()]]));
  await request.request('GET', 'sessions/S');
  user = undefined;
  const asked = [request.request('DELETE', 'sessions/X'), request.request('POST', 'sessions', { body: {} })];
  await until(() => alert);
  user = 'bob';
  await until(() => reloads);
  let isOver = false;
  Promise.allSettled(asked).then(() => { isOver = true; });
  await until(() => isOver);
  const sent = requests.filter(({ method }) => method !== 'GET');
  assert.ok(sent.every(({ headers }) => headers['If-Sender'] === markOf('ada')));
  assert.deepEqual(applied, []);
});

test('a page with unsent text is not reloaded for another user, but one with only a preselected choice is', async () => {
  const options = [{ defaultSelected: false }, { defaultSelected: false }];
  const select = { name: 'z', type: 'select-one', value: 'first', options, selectedIndex: 0 };
  for (const [is, has] of [[[select], 1], [[select, field('x', 'words')], 0]]) {
    fields = is;
    const page = shownSession();
    user = 'ada';
    await open(new Map([['', page]]));
    await request.request('GET', 'sessions/S');
    await more.watch(page);
    user = 'bob';
    request.request('GET', 'sessions/S').catch(() => {});
    await until(() => reloads || alert);
    assert.deepEqual([reloads, !alert], [has, Boolean(has)]);
    assert.ok(isCovered());
    [reloads, slot.name] = [0, ''];
    tabStorage.clear();
    browserStorage.clear();
  }
  fields = [];
});

test('the alert tells if some waiting Inputs may have been applied, also by an earlier page', async () => {
  const sentence = 'Somebody else is signed in now. Some of what waits may have been saved already.';
  const sessions = new Map();
  const queue = await open(sessions);
  sessions.set('', shownSession(queue));
  await add(queue, 'a');
  isAnswerLost = true;
  add(queue, 'b');
  await until(() => applied.length === 2);
  user = 'bob';
  await until(() => alert);
  assert.equal(alert.sentence, sentence);
  queue.leave();
  listeners.clear();
  alert = undefined;
  await open();
  await until(() => alert);
  assert.equal(alert.sentence, sentence);
});

test('the storage of other services of the origin stays', async () => {
  const path = placeOf('sender').slice('uifusion.sender.'.length);
  const others = [`uifusion.sender.${path}below/`, `uifusion.queue.${path}below/S`, 'uifusion.sender.other/', 'uifusion.queue.other/S', 'uifusion.tab.'];
  const its = [placeOf('pulse', 'S.x'), placeOf('local', '/page.html x')];
  for (const key of [...others, ...its]) tabStorage.setItem(key, '{}');
  tabStorage.setItem(request.senderPlace, markOf('ada'));
  user = 'bob';
  await open();
  await request.request('GET', 'sessions/S');
  assert.deepEqual([...tabStorage.keys()].toSorted(), [...others, request.senderPlace].toSorted());
});

test('data-local of the former user is removed', async () => {
  const { setLocal } = await import('../../Sources/API/WebClient/More/local.js');
  tabStorage.setItem(request.senderPlace, markOf('ada'));
  const local = { source: 'x', isKept: true };
  setLocal(local, { locals: new Map([[local, {}]]), place: '', session: new EventTarget() }, { x: 'of ada' });
  user = 'bob';
  await open();
  await request.request('GET', 'sessions/S');
  assert.deepEqual([...tabStorage.keys()], [request.senderPlace]);
});

test('after a reload, waiting Inputs are not sent by another user, and can be discarded', async () => {
  const left = await open();
  await add(left, 'a');
  user = undefined;
  add(left, 'b');
  await until(() => alert);
  left.leave();
  user = 'bob';
  listeners.clear();
  const queue = await open();
  await until(() => alert?.others.length);
  assert.equal(alert.sentence, 'Somebody else is signed in now.');
  alert.others[0].act();
  assert.equal(reloads, 1);
  assert.ok(tabStorage.getItem(request.senderPlace), 'until the page is gone, requests carry the mark');
  queue.leave();
  leavePage();
  assert.equal(tabStorage.size, 0);
  assert.deepEqual(applied, [['ada', 'a']]);
});

test('a new page of another user starts with nothing of the former one', async () => {
  tabStorage.setItem(request.senderPlace, markOf('ada'));
  tabStorage.setItem(placeOf('left'), '{}');
  browserStorage.setItem(request.senderPlace, markOf('ada'));
  browserStorage.setItem(placeOf('session', 'login.'), 'T');
  user = 'bob';
  const queue = await open();
  await request.request('GET', 'sessions/S');
  await add(queue, 'a');
  assert.deepEqual(applied, [['bob', 'a']]);
  assert.equal(alert, undefined);
  assert.deepEqual([...tabStorage.entries()].map(([key]) => key), [request.senderPlace]);
  assert.deepEqual([...browserStorage.entries()], [[request.senderPlace, markOf('bob')]]);
});

test('the first Input of another user is accepted if the shared stream is already theirs', async () => {
  tabStorage.setItem(request.senderPlace, markOf('ada'));
  user = 'bob';
  const queue = await open();
  await request.fetched('events?session=S', () => undefined, { isForAll: true });
  await add(queue, 'a');
  assert.deepEqual(applied, [['bob', 'a']]);
  assert.equal(alert, undefined);
});

test('an Input that waits for a day for a login is given up, as the service may have forgotten its key', async () => {
  const queue = await open(new Map([['', shownSession()]]));
  await add(queue, 'a');
  isAnswerLost = true;
  add(queue, 'b');
  await until(() => applied.length === 2);
  [isAnswerLost, user] = [false, undefined];
  await until(() => alert);
  mock.timers.tick(24 * 3600_000);
  await until(() => queue.givenUp.length);
  assert.match(queue.givenUp[0].reason, /^This may not have been saved/);
  user = 'ada';
  await add(queue, 'c');
  assert.deepEqual(applied, [['ada', 'a'], ['ada', 'b'], ['ada', 'c']]);
});

test('the user is the same after the service has restarted with a new secret', async () => {
  const queue = await open(new Map([['', shownSession()]]));
  await add(queue, 'a');
  secret = '11111111';
  await add(queue, 'b');
  assert.deepEqual(applied, [['ada', 'a'], ['ada', 'b']]);
  assert.equal(tabStorage.getItem(request.senderPlace), markOf('ada', secret));
});

test('what the browser stores of another user is removed, except for the session of the page', async () => {
  const [own, others] = ['a.', 'b.'].map((name) => placeOf('session', name));
  browserStorage.setItem(request.senderPlace, markOf('bob'));
  browserStorage.setItem(own, 'S');
  browserStorage.setItem(others, 'T');
  const session = shownSession();
  await open(new Map([['', session]]));
  tabStorage.setItem(request.senderPlace, markOf('ada'));
  await more.watch(session);
  assert.deepEqual([own, others, request.senderPlace].map((key) => browserStorage.getItem(key)), ['S', null, markOf('ada')]);
});

test('a logout removes everything from the browser', async () => {
  const queue = await open(new Map([['', shownSession()]]));
  await add(queue, 'a');
  browserStorage.setItem(placeOf('session', 'login.'), 'S');
  [user, isLoggedOut] = [undefined, true];
  add(queue, 'b');
  await until(() => reloads);
  queue.leave();
  leavePage();
  assert.deepEqual([tabStorage.size, browserStorage.size, reloads], [0, 0, 1]);
});

/** Returns a stand-in for a text field. */
const field = (name, value) => ({ name, type: 'text', value, defaultValue: '', dispatchEvent() {}, cloneNode: () => ({}) });

test('typed text is put back for its own user alone, in each field as it appears', async () => {
  tabStorage.setItem(request.senderPlace, markOf('ada'));
  const left = (name, age = 0) => JSON.stringify({ address: '/', time: Date.now() - age, sender: markOf(name), scroll: 0, values: { 'x 1': 'ex', 'y 1': 'why' } });
  const session = shownSession();
  tabStorage.setItem(placeOf('left'), left('ada'));
  fields = [field('x', '')];
  await open(new Map([['', session]]));
  await more.watch(session);
  assert.equal(fields[0].value, 'ex');
  fields.push(field('y', ''));
  fields[0].value = 'newer';
  session.dispatchEvent(new Event('state'));
  assert.deepEqual(fields.map(({ value }) => value), ['newer', 'why']);
  mock.timers.tick(10_000);
  assert.equal(tabStorage.getItem(placeOf('left')), null);

  for (const others of [left('bob'), left('ada', 3600_001)]) {
    tabStorage.setItem(placeOf('left'), others);
    fields = [field('x', '')];
    const other = shownSession();
    await open(new Map([['', other]]));
    await more.watch(other);
    assert.equal(fields[0].value, '');
    assert.equal(tabStorage.getItem(placeOf('left')), null);
  }
  fields = [];
});

test('a page is left for the login without a question only if all waiting Inputs are stored', async () => {
  const assign = mock.method(location, 'assign');
  for (const isSecret of [false, true]) {
    const sessions = new Map();
    const queue = await open(sessions, { login: '/login?return=' });
    sessions.set('', shownSession(queue));
    await add(queue, 'a');
    user = undefined;
    add(queue, 'b', { isSecret });
    await until(() => alert);
    fields = [field('x', 'ex'), { ...field('y', 'swordfish'), type: 'password' }];
    alert.act();
    assert.deepEqual(JSON.parse(tabStorage.getItem(placeOf('left'))).values, { 'x 1': 'ex' });
    fields = [];
    assert.equal(assign.mock.calls.at(-1).arguments[0], '/login?return=%2F');
    assert.equal(listeners.has('beforeunload'), !isSecret);
    queue.leave();
    tabStorage.clear();
    listeners.clear();
    [user, alert] = ['ada', undefined];
  }
});

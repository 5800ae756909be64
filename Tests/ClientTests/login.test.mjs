// What waits while nobody, or somebody else, is signed in: it is sent once, as the one whose it is, or not at all.

import assert from 'node:assert/strict';
import test, { beforeEach, mock } from 'node:test';

mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1e12 });

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
globalThis.window = { sessionStorage: tabStorage, localStorage: proxied(new Storage()) };
globalThis.addEventListener = () => {};

/** Who is signed in, and what the service has applied. */
let user, applied, requests, reloads;

globalThis.fetch = async (url, { method = 'GET', body, headers }) => {
  requests.push({ method, headers });
  const problem = (status, type) => new Response(JSON.stringify({ type: `/problems/${type}` }), {
    status, headers: { 'Content-Type': 'application/problem+json', ...user && { Sender: user } },
  });
  if (!user) return problem(401, 'unauthenticated');
  if (headers['If-Sender'] && headers['If-Sender'] !== user) return problem(412, 'other-sender');
  if (body) applied.push([user, JSON.parse(body)]);
  return new Response(null, { status: 204, headers: { ETag: '"7"', Sender: user } });
};

const { loadMore, more } = await import('../../Sources/API/WebClient/Core/more.js');
const { InputQueue } = await import('../../Sources/API/WebClient/Core/queue.js');
const request = await import('../../Sources/API/WebClient/Core/request.js');

/** What a page shows about it: {sentence, label, act}. */
let alert;

async function until(condition) {
  for (let turn = 0; turn < 10_000 && !condition(); turn++) {
    mock.timers.tick(turn % 20 ? 0 : 1000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(condition());
}

/** A page of its own, with the module that is loaded once a login has ended. */
async function open(sessions = new Map()) {
  const its = await import(`../../Sources/API/WebClient/Login/main.js?page=${Math.random()}`);
  const tools = {
    tabStorage, browserStorage: tabStorage, senderPlace: request.senderPlace, sessions,
    own: () => ({}),
    alertOf: (sentence, lines, label, act) => ({ sentence, label, act, remove: () => { alert = undefined; } }),
    placeOfNotices: () => ({ append: (element) => { alert = element; } }),
  };
  more.renew = (response, again) => its.renew(tools, response, again);
  const queue = new InputQueue({ storage: tabStorage, changed: () => {}, gone: () => {} });
  queue.start('S');
  return queue;
}

const add = (queue, input) => {
  const done = queue.add(input);
  done.catch(() => {});
  return done;
};

beforeEach(() => {
  tabStorage.clear();
  [user, applied, requests, reloads, alert] = ['ada', [], [], 0, undefined];
});
mock.method(console, 'warn', () => {});
mock.method(console, 'error', () => {});
globalThis.document = { documentElement: {} };
globalThis.location = { reload() { reloads++; } };
// The rest of the client is not there, and is waited for no more.
loadMore();
mock.timers.tick(10_000);

test('what is sent has the condition that it is sent by the one whose it is', async () => {
  const queue = await open();
  await add(queue, 'a');
  await add(queue, 'b');
  assert.deepEqual(requests.map(({ headers }) => headers['If-Sender']), [undefined, 'ada']);
});

test('it waits while nobody is signed in, and is applied once', async () => {
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

test('it is not sent by somebody else, and is when the first is back', async () => {
  const queue = await open(new Map([['', { version: 1, waiting: [], addEventListener() {}, dispatchEvent() {} }]]));
  await add(queue, 'a');
  user = 'bob';
  add(queue, 'b');
  await until(() => alert);
  assert.equal(alert.sentence, 'Somebody else is signed in now.');
  await until(() => requests.length > 5);
  assert.deepEqual(applied, [['ada', 'a']]);
  user = 'ada';
  await until(() => !queue.waiting.length);
  assert.deepEqual(applied, [['ada', 'a'], ['ada', 'b']]);
});

test('neither is it after a reload of the page, and it can be given up for a new beginning', async () => {
  const left = await open();
  await add(left, 'a');
  user = undefined;
  add(left, 'b');
  await until(() => alert);
  left.leave();
  user = 'bob';
  const sessions = new Map();
  const queue = await open(sessions);
  sessions.set('', { version: 0, get waiting() { return queue.waiting; }, addEventListener() {}, dispatchEvent() {} });
  await until(() => alert?.label === 'Start anew');
  alert.act();
  await until(() => queue.givenUp.length && reloads);
  assert.deepEqual(queue.givenUp[0].inputs, ['b']);
  assert.deepEqual(applied, [['ada', 'a']]);
  assert.equal(tabStorage.getItem(request.senderPlace), null);
});

test('a new page of somebody else begins with him', async () => {
  tabStorage.setItem(request.senderPlace, 'ada');
  user = 'bob';
  const queue = await open();
  await request.request('GET', 'sessions/S');
  await add(queue, 'a');
  assert.deepEqual(applied, [['bob', 'a']]);
  assert.equal(alert, undefined);
});

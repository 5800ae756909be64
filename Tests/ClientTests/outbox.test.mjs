// The Inputs that are given before the second module has come: they reach the session once, and in order.

import assert from 'node:assert/strict';
import test, { beforeEach, mock } from 'node:test';

// No pause ends by itself: the outbox retries when the test says so.
mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1e12 });

// The second module cannot be loaded here.
globalThis.location = { reload() {} };
console.error = () => {};

/** The requests that the service got, and functions for its next responses. */
let requests, answers, storage;

globalThis.fetch = async (url, { body, headers }) => {
  if (!url.includes('/inputs')) throw new TypeError('Failed to fetch');
  requests.push({ body: JSON.parse(body), key: headers['Idempotency-Key'] });
  return (answers.shift() ?? ok(requests.length))();
};

const ok = (version) => () => new Response(null, { status: 204, headers: { ETag: `"${version}"` } });
const nothing = () => { throw new TypeError('Failed to fetch'); };
const refused = () => new Response('{"type":"/problems/invalid-input","title":"No","detail":"No."}', {
  status: 422, headers: { 'Content-Type': 'application/problem+json' },
});

class Storage extends Map {
  getItem(name) { return this.get(name) ?? null; }
  setItem(name, text) { this.set(name, text); }
  removeItem(name) { this.delete(name); }
}

const { Outbox } = await import('../../Sources/API/WebClient/Session/outbox.js');
const { InputQueue } = await import('../../Sources/API/WebClient/Session/queue.js');
const wiring = () => ({ storage, changed: () => {}, gone: () => {}, isOffline: () => false });

function open() {
  const outbox = new Outbox(wiring());
  outbox.start('S');
  return outbox;
}

function takeOver(outbox) {
  const queue = new InputQueue(wiring(), outbox.handOver());
  queue.start('S');
  return queue;
}

/** Adds Inputs; nobody has to handle their rejection. */
const add = (queue, ...inputs) => inputs.map((input) => {
  const promise = queue.add(input);
  promise.catch(() => {});
  return promise;
});

async function until(condition) {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

async function rest() {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const bodies = () => requests.map(({ body }) => body);

beforeEach(() => { [requests, answers, storage] = [[], [], new Storage()]; });

test('an outbox sends Inputs in order, in batches', async () => {
  const outbox = open();
  const first = outbox.add('a');
  await until(() => requests.length === 1);
  assert.deepEqual(await Promise.all([first, ...add(outbox, 'b', 'c')]), [1, 2, 2]);
  assert.deepEqual([bodies(), storage.size], [['a', ['b', 'c']], 0]);
});

test('an outbox sends what was given before there was a session', async () => {
  const outbox = new Outbox(wiring());
  const sent = outbox.add('a');
  outbox.start('S');
  assert.equal(await sent, 1);
});

test('the queue waits for the answer to what the outbox has sent, and goes on from there', async () => {
  let answer;
  answers = [() => new Promise((done) => { answer = () => done(ok(1)()); })];
  const outbox = open();
  const sent = add(outbox, 'a');
  await until(() => answer);
  sent.push(...add(outbox, 'b'));
  const queue = takeOver(outbox);
  assert.deepEqual(queue.waiting.map(({ input }) => input), ['a', 'b']);
  assert.deepEqual(queue.waiting.map((entry) => queue.isSent(entry)), [true, false]);
  sent.push(...add(queue, 'c'));
  await rest();
  assert.deepEqual(bodies(), ['a']);
  answer();
  await Promise.all(sent);
  assert.deepEqual(bodies(), ['a', ['b', 'c']]);
  assert.deepEqual([queue.waiting, storage.size], [[], 0]);
});

test('what had no answer is sent again with its key, by the outbox or by the queue, before what came later', async () => {
  for (const isByQueue of [false, true]) {
    [requests, answers] = [[], [nothing]];
    const outbox = open();
    const [first] = add(outbox, 'a');
    await until(() => outbox.trouble);
    const [second] = add(outbox, 'b');
    const queue = isByQueue ? takeOver(outbox) : outbox;
    queue.poke();
    await Promise.all([first, second]);
    assert.deepEqual(bodies(), ['a', 'a', 'b']);
    assert.equal(requests[0].key, requests[1].key);
  }
});

test('an answer that comes to nobody any more does not count twice', async () => {
  let fail;
  answers = [() => new Promise((_, failed) => { fail = () => failed(new TypeError('Failed to fetch')); })];
  const outbox = open();
  const [sent] = add(outbox, 'a');
  await until(() => fail);
  const queue = takeOver(outbox);
  fail();
  await until(() => queue.trouble);
  queue.poke();
  await sent;
  assert.deepEqual(bodies(), ['a', 'a']);
  assert.equal(requests[0].key, requests[1].key);
  outbox.poke();
  await rest();
  assert.equal(requests.length, 2);
});

test('behind a refused Input the others wait for the queue, which gives them up', async () => {
  answers = [refused];
  const outbox = open();
  const [first] = add(outbox, 'a');
  await until(() => outbox.trouble);
  const [second] = add(outbox, 'b');
  await rest();
  assert.deepEqual(bodies(), ['a']);
  const queue = takeOver(outbox);
  await assert.rejects(first);
  await assert.rejects(second);
  assert.deepEqual(bodies(), ['a']);
  assert.deepEqual(queue.givenUp.map(({ inputs }) => inputs), [['a', 'b']]);
});

test('what an earlier page has stored is sent before what this page was given', async () => {
  answers = [nothing];
  const before = open();
  add(before, 'a', 'b');
  await until(() => before.trouble);
  const outbox = open();
  const sent = add(outbox, 'c');
  await rest();
  assert.deepEqual(bodies(), [['a', 'b']]);
  const queue = takeOver(outbox);
  await Promise.all(sent);
  assert.deepEqual(bodies(), [['a', 'b'], ['a', 'b'], 'c']);
  assert.equal(requests[0].key, requests[1].key);
  assert.deepEqual([queue.waiting, storage.size], [[], 0]);
});

test('what two pages have left before their second module came is sent by the next one, in order', async () => {
  for (const input of ['a', 'b']) {
    answers = [nothing];
    const outbox = open();
    add(outbox, input);
    await rest();
    outbox.leave();
  }
  [requests, answers] = [[], []];
  const queue = takeOver(open());
  await until(() => !queue.waiting.length);
  assert.deepEqual(bodies().flat(), ['a', 'b']);
});

test('a secret Input is sent, but not stored, nor is what comes after it', async () => {
  answers = [nothing];
  const outbox = open();
  add(outbox, 'a');
  outbox.add({ sign: 'hunter2' }, { isSecret: true }).catch(() => {});
  add(outbox, 'b');
  await until(() => outbox.trouble);
  assert.doesNotMatch(JSON.stringify([...storage]), /hunter2|"b"/);
  outbox.poke();
  await until(() => !outbox.waiting.length);
  assert.deepEqual(bodies(), ['a', 'a', { sign: 'hunter2' }, 'b']);
});

test('what waits when the session ends is given up, and not sent to the next session', async () => {
  const outbox = new Outbox(wiring());
  const [sent] = add(outbox, 'a');
  outbox.end('This session was deleted.');
  outbox.start('T');
  await rest();
  assert.deepEqual(bodies(), []);
  const queue = new InputQueue(wiring(), outbox.handOver());
  queue.start('T');
  await assert.rejects(sent, /deleted/);
  assert.match(queue.givenUp[0].reason, /deleted/);
  await queue.add('b');
  assert.deepEqual(bodies(), ['b']);
});

test('of texts that replace each other only the last is sent, as long as none was', async () => {
  const outbox = new Outbox(wiring());
  for (const text of ['m', 'mi', 'milk']) outbox.add({ search: text }, { replaces: 'search' });
  outbox.start('S');
  await until(() => !outbox.waiting.length);
  assert.deepEqual(bodies(), [{ search: 'milk' }]);
});

test('what is dropped from the storage meanwhile is not stored again', async () => {
  answers = [nothing];
  const before = open();
  add(before, 'a');
  await until(() => before.trouble);
  const outbox = open();
  storage.clear(); // as in a duplicated tab
  const queue = takeOver(outbox);
  assert.deepEqual([queue.waiting, storage.size], [[], 0]);
});

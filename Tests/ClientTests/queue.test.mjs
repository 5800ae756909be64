// The queue of Inputs: their order, their keys, and what happens without a response.

import assert from 'node:assert/strict';
import test, { beforeEach, mock } from 'node:test';

// No pause ends by itself: the queue retries when the test says so.
mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1e12 });

/** The requests that the service got, and functions for its next responses. */
let requests, answers;

globalThis.fetch = async (url, { body, headers }) => {
  requests.push({ body: JSON.parse(body), key: headers['Idempotency-Key'] });
  const answer = answers.shift() ?? ok(requests.length);
  return answer();
};

const ok = (version) => () => new Response(null, { status: 204, headers: { ETag: `"${version}"` } });
const nothing = () => { throw new TypeError('Failed to fetch'); };
const problem = (status, type, members = {}) => () => new Response(
  JSON.stringify({ type: `/problems/${type}`, title: type, detail: `It is ${type}.`, ...members }),
  { status, headers: { 'Content-Type': 'application/problem+json' } },
);

class Storage extends Map {
  getItem(name) { return this.get(name) ?? null; }
  setItem(name, text) { this.set(name, text); }
  removeItem(name) { this.delete(name); }
}

const { InputQueue, limit } = await import('../../Sources/API/WebClient/Session/queue.js');
const { placeOf } = await import('../../Sources/API/WebClient/Service/address.js');
const { storage: stored } = await import('../../Sources/API/WebClient/Service/storage.js');
let storage, ended;

function open({ id = 'S' } = {}) {
  const queue = new InputQueue({ storage, changed: () => {}, gone: (refusal) => { ended = refusal; queue.end(refusal.message); } });
  if (id) queue.start(id);
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

function deferred() {
  let resolve;
  const promise = new Promise((done) => { resolve = done; });
  return { promise, resolve };
}

const bodies = () => requests.map(({ body }) => body);

beforeEach(() => {
  [requests, answers, storage, ended] = [[], [], new Storage(), null];
});

test('sending an Input resolves to the version that contains it', async () => {
  assert.equal(await open().add('increase'), 1);
  assert.deepEqual(bodies(), ['increase']);
});

test('Inputs that are added together leave as one batch', async () => {
  await Promise.all(add(open(), 'a', 'b', 'c'));
  assert.deepEqual(bodies(), [['a', 'b', 'c']]);
});

test('while one Input is on its way, the others wait, and leave together', async () => {
  const queue = open();
  const first = queue.add('a');
  await until(() => requests.length === 1);
  await Promise.all([first, ...add(queue, 'b', 'c')]);
  assert.deepEqual(bodies(), ['a', ['b', 'c']]);
});

test('without a response no other Input is sent, and the retry has the same key and body', async () => {
  answers = [nothing, problem(503, 'store-unreachable'), nothing];
  const queue = open();
  const all = add(queue, 'a');
  await until(() => queue.trouble);
  all.push(...add(queue, 'b'));
  const poking = setInterval(() => queue.poke(), 1);
  await Promise.all(all);
  clearInterval(poking);
  assert.deepEqual(bodies(), ['a', 'a', 'a', 'a', 'b']);
  assert.equal(new Set(requests.slice(0, 4).map(({ key }) => key)).size, 1);
  assert.notEqual(requests[4].key, requests[0].key);
  assert.equal(queue.trouble, '');
});

test('waiting Inputs survive a reload, with the key of the batch on its way', async () => {
  answers = [nothing];
  const before = open();
  add(before, 'a');
  await until(() => before.trouble);
  add(before, 'b');
  const key = requests[0].key;
  requests = [];
  const after = open();
  await until(() => !after.waiting.length);
  assert.deepEqual(bodies(), ['a', 'b']);
  assert.equal(requests[0].key, key);
  assert.equal(storage.size, 0);
});

test('Inputs from before a reload leave before those that were added while the session was being found', async () => {
  answers.push(nothing);
  const left = open();
  add(left, 'before');
  await until(() => left.trouble);
  left.leave();
  const queue = open({ id: null });
  const [after] = add(queue, 'after');
  queue.start('S');
  await after;
  assert.deepEqual(bodies(), ['before', 'before', 'after']);
});

test('of waiting Inputs with the same `replaces`, only the newest is sent, and all resolve', async () => {
  const queue = open();
  const first = queue.add({ query: 'a' }, { replaces: 'search' });
  await until(() => requests.length === 1);
  const others = ['ab', 'abc'].map((query) => queue.add({ query }, { replaces: 'search' }));
  assert.deepEqual(await Promise.all([first, ...others]), [1, 2, 2]);
  assert.deepEqual(bodies(), [{ query: 'a' }, { query: 'abc' }]);
});

test('an Input is not replaced if one without `replaces` stands behind it', async () => {
  const queue = open({ id: null });
  const type = (title) => queue.add({ title }, { replaces: 'title' }).catch(() => {});
  type('mil');
  type('milk');
  add(queue, 'add');
  type('bread');
  add(queue, 'add');
  queue.start('S');
  await until(() => !queue.waiting.length);
  assert.deepEqual(bodies(), [[{ title: 'milk' }, 'add', { title: 'bread' }, 'add']]);
});

test('a secret Input is sent by itself, not stored, and not shown', async () => {
  answers = [nothing];
  const queue = open();
  add(queue, 'a');
  queue.add({ password: 'hunter2' }, { isSecret: true }).catch(() => {});
  add(queue, 'b');
  queue.add('submit', { isSecret: true }).catch(() => {});
  await until(() => queue.trouble);
  assert.doesNotMatch([...storage.values()].join(), /hunter2/);
  answers = [ok(1), problem(422, 'too-short')];
  queue.poke();
  await until(() => queue.givenUp.length);
  assert.deepEqual(bodies(), ['a', 'a', { password: 'hunter2' }]);
  assert.deepEqual(queue.givenUp[0].inputs, ['password', 'b', 'submit']);
  assert.doesNotMatch([...storage.values()].join(), /hunter2/);
});

test('a batch is not sent again when the service may have forgotten its key', async () => {
  answers = [nothing];
  const queue = open();
  add(queue, 'a');
  await until(() => queue.trouble);
  mock.timers.tick(25 * 3600 * 1000);
  await until(() => queue.givenUp.length);
  assert.equal(requests.length, 1);
  assert.match(queue.givenUp[0].reason, /^This may not have been saved\. /);
});

test('a page that was left sends nothing until it comes back and reads the stored Inputs', async () => {
  answers = [nothing];
  const left = open();
  const [first] = add(left, 'x');
  await until(() => left.trouble);
  add(left, 'y');
  left.leave();
  await assert.rejects(first, /left/);
  const next = open();
  await until(() => !next.waiting.length);
  left.start('S');
  const [last] = add(left, 'z');
  await last;
  assert.deepEqual(bodies(), ['x', 'x', 'y', 'z']);
  assert.equal(requests[1].key, requests[0].key);
});

test('waiting Inputs are stored also after the page has come back', async () => {
  answers = [nothing, nothing];
  const queue = open();
  add(queue, 'x');
  await until(() => queue.trouble);
  queue.leave();
  queue.start('S');
  await until(() => requests.length === 2);
  add(queue, 'y');
  requests = [];
  const next = open();
  await until(() => !next.waiting.length);
  assert.deepEqual(bodies(), ['x', 'y']);
});

test('stored Inputs behind a missing one are not sent', async () => {
  const place = placeOf('queue', 'S');
  storage.setItem(place, JSON.stringify({ numbers: [1, 2, 3], givenUp: [], batch: null }));
  for (const [number, input] of [[1, 'a'], [3, 'c']]) storage.setItem(`${place}.${number}`, JSON.stringify({ input }));
  const queue = open();
  await until(() => !queue.waiting.length);
  assert.deepEqual(bodies(), ['a']);
});

test('an Input that is not JSON is refused, and does not hold up others', async () => {
  const queue = open();
  await assert.rejects(queue.add({ n: 10n }), TypeError);
  const input = { title: 'before' };
  const sent = queue.add(input);
  input.title = 'after';
  await sent;
  assert.deepEqual(bodies(), [{ title: 'before' }]);
});

test('a refused Input takes the Inputs behind it along', async () => {
  const refuse = deferred();
  answers = [() => refuse.promise.then(problem(422, 'state-too-large'))];
  const queue = open();
  const [first] = add(queue, 'a');
  await until(() => requests.length === 1);
  const [second] = add(queue, 'b');
  refuse.resolve();
  await assert.rejects(first, { status: 422 });
  await assert.rejects(second, { status: 422 });
  assert.deepEqual(queue.givenUp.map(({ inputs, reason }) => [inputs, reason]), [[['a', 'b'], 'This could not be saved. The service does not accept it.']]);
  queue.dismiss(queue.givenUp[0]);
  assert.deepEqual(queue.givenUp, []);
  assert.equal(storage.size, 0);
});

test('the Inputs before an invalid one in a batch are applied', async () => {
  answers = [problem(422, 'invalid-input', { index: 1 }), ok(2), problem(422, 'invalid-input', { index: 0 })];
  const queue = open();
  const results = await Promise.allSettled(add(queue, 'a', 'nonsense', 'c'));
  assert.deepEqual(results.map(({ status }) => status), ['fulfilled', 'rejected', 'rejected']);
  assert.deepEqual(bodies(), [['a', 'nonsense', 'c'], 'a', ['nonsense', 'c']]);
});

test('the applied Inputs of a batch that failed halfway are not sent again', async () => {
  answers = [problem(422, 'state-too-large', { index: 1 })];
  const queue = open();
  const results = await Promise.allSettled(add(queue, 'a', 'b', 'c'));
  assert.deepEqual(results.map(({ status }) => status), ['fulfilled', 'rejected', 'rejected']);
  assert.deepEqual(queue.givenUp[0].inputs, ['b', 'c']);
  assert.equal(requests.length, 1);
});

test('a batch that is too long for the service is sent in parts', async () => {
  answers = [problem(413, 'batch-too-long', { limit: 2 })];
  await Promise.all(add(open(), 'a', 'b', 'c', 'd'));
  assert.deepEqual(bodies(), [['a', 'b', 'c', 'd'], ['a', 'b'], ['c', 'd']]);
});

test('an Input beyond the limit is refused, and shown as given up', async () => {
  const queue = open({ id: null });
  const all = add(queue, ...Array(limit.inputs + 1).fill('a'));
  await assert.rejects(all.at(-1), /No more than 256 may wait/);
  assert.equal(queue.waiting.length, limit.inputs);
  assert.equal(queue.givenUp.length, 1);
});

test('waiting Inputs are also limited in bytes', async () => {
  const queue = open({ id: null });
  const [, second] = add(queue, { text: 'ㄱ'.repeat(limit.bytes / 4) }, { text: 'ㄱ'.repeat(limit.bytes / 4) });
  await assert.rejects(second);
  assert.equal(queue.waiting.length, 1);
});

test('the end of the session gives up waiting Inputs', async () => {
  answers = [problem(410, 'ended-session')];
  const queue = open();
  const [first] = add(queue, 'a');
  await assert.rejects(first);
  assert.equal(ended.status, 410);
  assert.deepEqual(queue.givenUp.map(({ inputs }) => inputs), [['a']]);
});

test('an Input that was sent without a response may have been saved', async () => {
  answers = [nothing];
  const queue = open();
  add(queue, 'a');
  await until(() => queue.trouble);
  queue.end('This session has expired.');
  assert.equal(queue.givenUp[0].reason, 'This may not have been saved. This session has expired.');
});

test('Inputs that were given up with their session are stored until dismissed, even with the next session', async () => {
  const queue = open();
  queue.end('This session has expired.');
  const lost = open({ id: null });
  add(lost, 'a');
  lost.start('S');
  lost.end('This session has expired.');
  assert.deepEqual(open().givenUp[0].inputs, ['a']);
  lost.start('T');
  assert.deepEqual([...storage.keys()], [placeOf('queue', 'T')]);
  lost.end('It was deleted.');
  lost.dismiss(lost.givenUp[0]);
  assert.equal(storage.size, 0);
});

test('an Input that was never sent could not be saved, whatever ends the session', async () => {
  const queue = open({ id: null });
  add(queue, 'a');
  queue.end('This session has expired.');
  assert.equal(queue.givenUp[0].reason, 'This could not be saved. This session has expired.');
});

test('a response that is not the service\'s does not count', async () => {
  answers = [
    () => new Response('<h1>Log in</h1>', { status: 200 }), () => new Response('Not here', { status: 404 }),
    () => new Response('{"status":"login"}'), () => new Response(null, { status: 204 }),
  ];
  const queue = open();
  const poking = setInterval(() => queue.poke(), 1);
  assert.equal(await queue.add('a'), 5);
  clearInterval(poking);
  assert.equal(ended, null);
});

test('nothing is sent while the browser is offline, and so can be withdrawn', async () => {
  let isOffline = true;
  const queue = new InputQueue({ storage, changed: () => {}, gone: () => {}, isOffline: () => isOffline });
  queue.start('S');
  const [, second] = add(queue, 'a', 'b', 'c');
  await until(() => queue.trouble);
  assert.equal(queue.isSent(queue.waiting[0]), false);
  queue.withdraw(queue.waiting[1]);
  await assert.rejects(second, { isWithdrawn: true });
  isOffline = false;
  queue.poke();
  await until(() => !queue.waiting.length);
  assert.deepEqual(bodies(), [['a', 'c']]);
});

test('an Input that was sent cannot be withdrawn, as it may have arrived', async () => {
  answers = [nothing];
  const queue = open();
  add(queue, 'a');
  await until(() => queue.trouble);
  add(queue, 'b');
  for (const entry of queue.waiting) queue.withdraw(entry);
  assert.deepEqual(queue.waiting.map(({ input }) => input), ['a']);
});

test('an Input is stored once, however many wait with it', async () => {
  const queue = open({ id: null });
  queue.start('S');
  answers = [nothing];
  let bytes = 0;
  storage.setItem = (name, text) => { bytes += text.length; storage.set(name, text); };
  const large = { text: 'x'.repeat(1000) };
  add(queue, ...Array(200).fill(large));
  await until(() => queue.trouble);
  assert.ok(bytes < 3 * 200 * 1000, `${bytes} bytes were written`);
});

for (const place of ['uifusion.queue.S', placeOf('queue', 'S')]) {
  test(`Inputs that an older client has stored as ${place} are sent and removed`, async () => {
    storage.setItem(place, JSON.stringify({ waiting: [{ input: 'a' }, { input: 'b' }], givenUp: [], batch: null }));
    const queue = open();
    await until(() => !queue.waiting.length);
    assert.deepEqual(bodies(), [['a', 'b']]);
    storage.setItem(place, JSON.stringify({ numbers: [1], givenUp: [], batch: null }));
    storage.setItem(`${place}.1`, JSON.stringify({ input: 'c' }));
    const next = open();
    await until(() => !next.waiting.length);
    assert.deepEqual(bodies(), [['a', 'b'], 'c']);
    assert.equal(storage.size, 0);
  });
}

test('a batch that an older client has stored without a count may have been saved', async () => {
  const batch = { key: 'k', count: 1, since: Date.now() };
  storage.setItem(placeOf('queue', 'S'), JSON.stringify({ waiting: [{ input: 'a' }], givenUp: [], batch }));
  answers = [problem(410, 'ended-session')];
  const queue = open();
  await until(() => queue.givenUp.length);
  assert.match(queue.givenUp[0].reason, /^This may not have been saved/);
});

test('an Input that a full queue refused has surely not been saved', async () => {
  answers = [problem(429, 'queue-full'), problem(410, 'ended-session')];
  const queue = open();
  add(queue, 'a');
  await until(() => queue.trouble);
  queue.poke();
  await until(() => queue.givenUp.length);
  assert.match(queue.givenUp[0].reason, /^This could not be saved/);
});

test('an Input is applied once, though its batch could not be stored and the page was left before the response', async () => {
  for (let failing = 1; failing < 8; failing++) {
    let count = 0;
    [requests, answers, storage] = [[], [nothing], new Storage()];
    for (const name of ['setItem', 'removeItem']) {
      const act = storage[name].bind(storage);
      storage[name] = (...values) => { if (++count >= failing && count < 20) throw new Error('full'); act(...values); };
    }
    const kept = storage;
    storage = stored(() => kept);
    const left = open();
    add(left, 'a', 'b');
    await until(() => left.trouble);
    left.leave();
    storage = stored(() => kept);
    count = 20;
    const next = open();
    await until(() => !next.waiting.length);
    // With the same key, the service does not apply it again.
    assert.equal(new Set(requests.map(({ key }) => key)).size, 1, `call ${failing} failed`);
  }
});

test('an Input that the sender may not send is given up with the rule\'s sentence, after those before it', async () => {
  answers = [problem(403, 'not-permitted', { detail: 'Only a host locks.', index: 1 }), ok(2), problem(403, 'not-permitted', { detail: 'Only a host locks.' })];
  const queue = open();
  const [ring, lock] = add(queue, 'ring', 'lock');
  assert.equal(await ring, 2);
  await assert.rejects(lock);
  assert.deepEqual(bodies(), [['ring', 'lock'], 'ring', 'lock']);
  assert.deepEqual(queue.givenUp.map(({ reason }) => reason), ['This could not be saved. Only a host locks.']);
});

test('what State forbids in the middle of a batch is given up with the sentence, and what is applied is not sent again', async () => {
  answers = [problem(403, 'not-permitted-now', { detail: 'Ada sits there.', index: 1 })];
  const queue = open();
  const [take, leave, stay] = add(queue, 'take', 'leave', 'stay');
  await take;
  await assert.rejects(leave);
  await assert.rejects(stay);
  assert.deepEqual(bodies(), [['take', 'leave', 'stay']]);
  assert.deepEqual(queue.givenUp.map(({ reason }) => reason), ['This could not be saved. Ada sits there.']);
});

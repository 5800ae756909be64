// The browser's only stream: it tells the true versions of its sessions, and leaves no other stream open.

import assert from 'node:assert/strict';
import test, { beforeEach, mock } from 'node:test';

mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1e12 });
globalThis.window = { get sessionStorage() { throw new Error('none'); } };
Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true });

/** The opened streams, the ids of sessions that were read, and the service's responses to such reads, among others. */
let streams, reads, answerFor, answerToCreation, told, leader, isUnreadable;

globalThis.fetch = async (url, { method, body: sent, signal }) => {
  const { pathname } = new URL(url, 'http://localhost');
  const headers = { 'Content-Type': 'application/x-ndjson' };
  if (method === 'POST' && answerToCreation) return answerToCreation(signal);
  if (method !== 'POST' && !pathname.endsWith('/events')) {
    reads.push(pathname.split('/').pop());
    return answerFor(reads.at(-1));
  }
  const refused = new URL(url, 'http://localhost').searchParams.getAll('session').map((id) => answerFor(id)).find(({ status }) => status > 400);
  if (refused && isUnreadable) return refused;
  const stream = { signal, url, sent };
  const body = new ReadableStream({ start(controller) { stream.controller = controller; } });
  signal.addEventListener('abort', () => stream.controller.error(new Error('aborted')));
  streams.push(stream);
  return new Response(body, { headers, status: method === 'POST' ? 201 : 200 });
};

const state = (version) => Response.json({ version, state: {} }, { headers: { ETag: `"${version}"` } });
const gone = (type, status = 410) => new Response(`{"type":"/problems/${type}","title":"Gone"}`, {
  status, headers: { 'Content-Type': 'application/problem+json' },
});
const ended = () => gone('ended-session');
const say = (event) => streams.at(-1).controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n`));

const { Leader } = await import('../../Sources/API/WebClient/Tabs/leader.js');

/** Waits until everything has happened that needs no timer. */
async function rest() {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function pass(milliseconds) {
  await rest();
  for (let rested = 0; rested < milliseconds; rested += 500) {
    mock.timers.tick(500);
    await rest();
  }
}

async function lead(ids, { position = '', versions = {}, tell = () => {} } = {}) {
  leader = new Leader(position, versions, (message) => {
    told.push(message);
    tell(message);
  });
  leader.follow('tab', ids);
  await rest();
}

beforeEach(() => {
  leader?.stop();
  [streams, reads, told, isUnreadable] = [[], [], [], false];
  answerFor = () => state(7);
  answerToCreation = undefined;
});

test('a leader reads a session of which the stream sends nothing, as a follower may lack its State', async () => {
  await lead(['S'], { position: 'S.7' });
  await pass(1000);
  assert.deepEqual(told.at(-1), { type: 'event', event: { event: 'state', session: 'S', version: 7, state: {} } });
});

test('a healthy stream stays open, however often it is checked', async () => {
  await lead(['S'], { position: 'S.7', versions: { S: 7 } });
  for (const _ of 'abc') {
    leader.check();
    await pass(2000);
  }
  assert.equal(streams.length, 1);
  assert.deepEqual(told.at(-1), { type: 'live', versions: { S: 7 }, unreadable: [] });
});

test('a stream that lacks a version of the service is opened anew', async () => {
  await lead(['S'], { position: 'S.6', versions: { S: 6 } });
  leader.check();
  await pass(10_000);
  assert.ok(streams.length > 1 && streams[0].signal.aborted);
});

test('a stream is closed if its events cannot be handled', async () => {
  await lead(['S'], { tell({ type }) { if (type === 'event') throw new Error('a follower throws'); } });
  for (const version of [1, 2, 3]) {
    say({ event: 'state', session: 'S', id: `S.${version}`, version, state: {} });
    await pass(10_000);
  }
  assert.deepEqual(streams.map(({ signal }) => signal.aborted), [true, true, true, false]);
});

test('a leader does not read sessions that have ended', async () => {
  answerFor = ended;
  await lead(['S']);
  say({ event: 'state', session: 'S', id: 'S.1', version: 1, state: {} });
  say({ event: 'end', session: 'S', reason: 'deleted' });
  await pass(60_000);
  assert.deepEqual(reads, []);
});

test('a dead stream is noticed even if one of its two sessions has ended', async () => {
  answerFor = (id) => id === 'A' ? ended() : state(9);
  await lead(['A', 'B']);
  say({ event: 'state', session: 'A', id: 'A.1', version: 1, state: {} });
  say({ event: 'state', session: 'B', id: 'B.1', version: 1, state: {} });
  say({ event: 'end', session: 'A', reason: 'deleted' });
  await pass(60_000);
  assert.ok(streams[0].signal.aborted);
});


for (const [type, status] of [['unreadable-session', 410], ['session-set-aside', 503]]) {
  test(`a session with the problem ${type} does not keep others from being followed, and is followed once it can be`, async () => {
    isUnreadable = true;
    answerFor = (id) => id === 'A' ? gone(type, status) : state(9);
    await lead(['A', 'B']);
    assert.deepEqual(told.at(-1), { type: 'live', versions: { B: 0 }, unreadable: ['A'] });
    answerFor = () => state(7);
    await pass(6_000);
    assert.deepEqual(Object.keys(told.findLast(({ type }) => type === 'live').versions), ['A', 'B']);
  });
}

const created = { event: 'state', session: 'N', version: 1, state: {} };

test('a session is created and followed in one request', async () => {
  await lead([]);
  const session = leader.create('tab', '{}');
  await rest();
  assert.match(streams[0].url, /sessions\?format=patch$/);
  assert.equal(streams[0].sent, '{}');
  say(created);
  assert.deepEqual(await session, { id: 'N', version: 1, state: {} });
  leader.follow('tab', ['N']);
  await pass(1000);
  assert.deepEqual(told.at(-1), { type: 'live', versions: { N: 1 }, unreadable: [] });
  say({ event: 'patch', from: 1, version: 2, patch: [] });
  await rest();
  assert.deepEqual(told.at(-1), { type: 'event', event: { session: 'N', event: 'patch', from: 1, version: 2, patch: [] } });
  assert.equal(streams.length, 1);
  streams[0].controller.close();
  await pass(1000);
  assert.match(streams.at(-1).url, /events\?session=N/);
});

test('an open stream is not closed for a creation', async () => {
  await lead(['S']);
  assert.equal(leader.create('tab', '{}'), undefined);
});

test('a creation is not aborted when a tab joins meanwhile', async () => {
  await lead([]);
  const session = leader.create('tab', '{}');
  assert.equal(leader.create('tab', '{}'), undefined);
  await rest();
  leader.follow('other', ['S']);
  await rest();
  assert.ok(!streams[0].signal.aborted);
  say(created);
  await session;
  await rest();
  assert.ok(streams[0].signal.aborted);
  assert.match(streams[1].url, /session=N&session=S/);
});

test('a session that is created without a stream is followed by another request', async () => {
  await lead([]);
  answerToCreation = () => Response.json({ id: 'N', version: 1, state: {}, settled: true }, { status: 201 });
  assert.deepEqual(await leader.create('tab', '{}'), { id: 'N', version: 1, state: {} });
  await pass(1000);
  assert.match(streams[0].url, /session=N/);
});

test('a creation that is refused says why, and the next one may succeed', async () => {
  await lead([]);
  answerToCreation = () => gone('unknown-view-model');
  await assert.rejects(leader.create('tab', '{}'), { type: 'unknown-view-model' });
  answerToCreation = undefined;
  const session = leader.create('tab', '{}');
  await rest();
  say(created);
  assert.equal((await session).id, 'N');
});

test('a creation is given up without a response, and when the leader stops', async () => {
  const silence = (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  for (const end of [() => pass(30_000), () => leader.stop()]) {
    await lead([]);
    answerToCreation = silence;
    const refused = assert.rejects(leader.create('tab', '{}'), { isPassing: true });
    await rest();
    await end();
    await refused;
  }
});

test.after(() => leader.stop());

test('a leader goes on with the stream that its tab has read so far, and opens no other', async () => {
  const { following, readStream } = await import('../../Sources/API/WebClient/Service/stream.js');
  const abort = new AbortController();
  const heard = [];
  let to = { opened: () => {}, event: (event) => heard.push(event.version), heard: () => {} };
  const ended = readStream(following(['S'], ''), abort.signal, {
    opened: () => to.opened(), event: (event) => to.event(event), heard: () => to.heard(),
  });
  await rest();
  say({ event: 'state', id: 'S.3', session: 'S', version: 3, state: {} });
  await rest();
  leader = new Leader('S.3', { S: 3 }, (message) => told.push(message), {
    tab: 'tab', ids: ['S'], abort, isOpen: true, ended, take: (its) => { to = its; },
  });
  assert.deepEqual(told, [{ type: 'live', versions: { S: 3 }, unreadable: [] }]);
  leader.follow('tab', ['S'], 'S');
  say({ event: 'state', id: 'S.4', session: 'S', version: 4, state: {} });
  await pass(1000);
  assert.deepEqual(heard, [3]);
  assert.equal(told.at(-1).event.version, 4);
  assert.deepEqual([streams.length, reads], [1, []]);
  leader.follow('tab', ['S', 'T'], 'T');
  await pass(1000);
  assert.equal(streams.length, 2);
  assert.match(String(streams[1].url), /session=S&session=T.*after=S\.4/);
  assert.ok(abort.signal.aborted);
});

test('a leader opens another stream when that of its tab has ended', async () => {
  leader = new Leader('S.3', { S: 3 }, (message) => told.push(message), {
    tab: 'tab', ids: ['S'], abort: new AbortController(), isOpen: true, ended: Promise.resolve(0), take: () => {},
  });
  await pass(1000);
  assert.deepEqual(told.slice(0, 2).map(({ type }) => type), ['live', 'stale']);
  assert.equal(streams.length, 1);
});

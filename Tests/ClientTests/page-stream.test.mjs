// The stream of a page before the second module has come.

import assert from 'node:assert/strict';
import test, { beforeEach, mock } from 'node:test';

mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 1e12 });
const listeners = new EventTarget();
globalThis.addEventListener = (...values) => listeners.addEventListener(...values);
globalThis.window = { get sessionStorage() { throw new Error('none'); } };
globalThis.location = { reload() {} };
console.error = () => {};

/** The opened streams, other requests, whether another tab leads, and what ends the lock's term. */
let streams, requests, isTaken, take, answerFor;

Object.defineProperty(globalThis, 'navigator', {
  configurable: true,
  value: {
    locks: {
      async request(name, options, act) {
        const term = act(isTaken ? null : { name });
        await Promise.race([term, new Promise((_, stolen) => { take = () => stolen(new Error('stolen')); })]);
      },
    },
  },
});

globalThis.fetch = async (url, { method, signal, body: sent }) => {
  const { pathname, searchParams } = new URL(url);
  const refusal = answerFor?.(pathname, searchParams.getAll('session'));
  if (refusal) return refusal;
  if (!searchParams.has('format')) {
    requests.push(`${method ?? 'GET'} ${pathname.split('/').pop()}`);
    return Response.json({ id: 'N', version: 1, state: {} });
  }
  const stream = { ids: searchParams.getAll('session'), after: searchParams.get('after'), sent, signal };
  const body = new ReadableStream({ start(controller) { stream.controller = controller; } });
  signal.addEventListener('abort', () => stream.controller.error(new Error('aborted')));
  streams.push(stream);
  return new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } });
};

const say = (event) => streams.at(-1).controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n`));

async function rest() {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function pass(milliseconds) {
  for (let rested = 0; rested < milliseconds; rested += 500) {
    await rest();
    mock.timers.tick(500);
  }
  await rest();
}

function follower() {
  const its = { events: [], goneTimes: 0, caughtUp: [] };
  return Object.assign(its, {
    event: ({ event, version }) => its.events.push(version ?? event), gone: () => its.goneTimes++, connectionChanged() {}, catchUp: (version) => its.caughtUp.push(version),
  });
}

let last;

async function open() {
  const { pageStream, usePageStream } = await import('../../Sources/API/WebClient/Session/page-stream.js');
  last?.handOver().stream?.abort.abort();
  usePageStream(undefined);
  last = pageStream();
  await last.ready;
  return last;
}

beforeEach(() => { [streams, requests, isTaken, answerFor] = [[], [], false, undefined]; });

test('a session is created by the request that opens the stream, and followed by it', async () => {
  const page = await open();
  const made = page.create('{"viewModel":"counter"}');
  await rest();
  say({ event: 'state', id: 'N.1', session: 'N', version: 1, state: { value: 0 } });
  assert.deepEqual(await made, { id: 'N', version: 1, state: { value: 0 } });
  const its = follower();
  page.join('N', its);
  assert.ok(page.isLeading && page.isLive('N'));
  say({ event: 'patch', id: 'N.2', session: 'N', version: 2, from: 1, patch: [] });
  await rest();
  assert.deepEqual([its.caughtUp, its.events], [[1], [2]]);
  assert.deepEqual([streams.length, requests], [1, []]);
});

test('of several sessions that are created at once, the first one opens the stream, and all are created', async () => {
  const page = await open();
  const made = ['"first"', '"second"', '"third"'].map((body) => page.create(body));
  await rest();
  say({ event: 'state', id: 'F.1', session: 'F', version: 1, state: {} });
  assert.deepEqual((await Promise.all(made)).map(({ id }) => id), ['F', 'N', 'N']);
  assert.deepEqual([streams.map(({ sent }) => sent), requests], [['"first"'], ['POST sessions', 'POST sessions']]);
});

test('a second session joins the stream, which goes on from its position', async () => {
  const page = await open();
  page.join('S', follower());
  await rest();
  say({ event: 'state', id: 'S.3', session: 'S', version: 3, state: {} });
  await rest();
  page.join('T', follower());
  await rest();
  assert.deepEqual(streams.map(({ ids, after }) => [ids, after]), [[['S'], null], [['S', 'T'], 'S.3']]);
  assert.ok(streams[0].signal.aborted && page.isLive('S') && page.isLive('T'));
  page.part('S');
  await rest();
  assert.deepEqual(streams.at(-1).ids, ['T']);
});

test('a stream that breaks off is opened again', async () => {
  const page = await open();
  page.join('S', follower());
  await rest();
  streams[0].controller.error(new Error('broken'));
  await rest();
  assert.equal(page.isLive('S'), false);
  await pass(1000);
  assert.ok(page.isLive('S'));
  assert.equal(streams.length, 2);
});

for (const [status, type] of [[410, 'ended-session'], [403, 'not-permitted']]) {
  test(`a follower learns that its session is gone, and no other does: ${type}`, async () => {
    answerFor = (_, ids) => (ids.includes('S') ? new Response(JSON.stringify({ type: `/problems/${type}`, title: 'No', session: 'S' }), {
      status, headers: { 'Content-Type': 'application/problem+json' },
    }) : undefined);
    const page = await open();
    const [its, others] = [follower(), follower()];
    page.join('S', its);
    page.join('T', others);
    await rest();
    assert.deepEqual([its.goneTimes, others.goneTimes ?? 0], [1, 0]);
  });
}

test('a tab that does not lead creates sessions without a stream, and has one of its own once the second module is given up', async () => {
  isTaken = true;
  const page = await open();
  assert.equal(page.isLeading, false);
  assert.deepEqual(await page.create('{}'), { id: 'N', version: 1, state: {} });
  page.join('N', follower());
  await rest();
  assert.deepEqual([streams.map(({ ids }) => ids), requests], [[['N']], ['POST sessions']]);
});

test('what is handed over is read by nobody else', async () => {
  const page = await open();
  const its = follower();
  page.join('S', its);
  await rest();
  const handed = page.handOver();
  const versions = [];
  handed.stream.to = { event: ({ version }) => versions.push(version), heard() {}, opened() {} };
  say({ event: 'state', id: 'S.3', session: 'S', version: 3, state: {} });
  await pass(1000);
  assert.deepEqual([versions, its.events, streams.length], [[3], [], 1]);
  assert.ok(handed.stream.isOpen && handed.lock && !handed.stream.abort.signal.aborted);
  assert.deepEqual([...handed.followers.keys()], ['S']);
});

test('a session that is asked for at the moment of the takeover is created all the same', async () => {
  const page = await open();
  const made = page.create('{"viewModel":"counter"}');
  page.handOver();
  const created = await Promise.race([made, rest()]);
  assert.deepEqual([created?.id, streams.length, requests], ['N', 0, ['POST sessions']]);
});

test('a session that is asked for as another tab takes the lock is created all the same', async () => {
  const page = await open();
  const made = page.create('{"viewModel":"counter"}');
  take();
  await rest();
  if (streams.length) say({ event: 'state', id: 'N.1', session: 'N', version: 1, state: {} });
  assert.equal((await Promise.race([made, rest()]))?.id, 'N');
});

test('a tab whose lock another one has taken stops its stream', async () => {
  const page = await open();
  page.join('S', follower());
  await rest();
  take();
  await rest();
  assert.equal(page.isLeading, false);
  assert.ok(streams[0].signal.aborted);
});

// The client that `uifusion client typescript` writes, with a service that does as it is told.

import assert from 'node:assert/strict';
import test from 'node:test';
import { open, Problem } from '../../Sources/API/WebClient/Alone/session.js';

/** A service with one session: its answers are functions of the number of the request to a path. */
class FakeService {
  requests = [];
  streams = [];
  answers = {};
  digest = 'a';

  fetch = async (address, { method, headers, body, signal }) => {
    // Without the path below which the service is, the session's id and the view model's name.
    const [, resource, , part] = new URL(address).pathname.replace('/base', '').split('/');
    const what = `${method} /${resource}${part ? `/${part}` : ''}`;
    this.requests.push({ what, headers, body, address });
    const count = this.requests.filter((one) => one.what === what).length;
    const answer = this.answers[what]?.(count, body) ?? this.usual(what, signal);
    if (answer instanceof Error) throw answer;
    return answer;
  };

  usual(what, signal) {
    switch (what) {
      case 'POST /sessions':
      case 'GET /sessions': return json(200, { id: 'S', version: 1, state: { value: 0 } });
      case 'POST /sessions/inputs': return json(200, { version: 2, state: { value: 1 }, settled: true });
      case 'GET /view-models': return json(200, { digest: this.digest });
      case 'GET /sessions/events': return this.stream(signal);
      default: return json(204);
    }
  }

  stream(signal) {
    let controller;
    const body = new ReadableStream({ start(given) { controller = given; } });
    signal.addEventListener('abort', () => { try { controller.error(new Error('aborted')); } catch { /* It has ended. */ } });
    this.streams.push(controller);
    return new Response(body, { status: 200 });
  }

  /** Sends a text over the newest stream. */
  push(text) { this.streams.at(-1).enqueue(new TextEncoder().encode(text)); }

  of(what) { return this.requests.filter((one) => one.what === what); }
}

const json = (status, body, headers) =>
  new Response(body ? JSON.stringify(body) : null, { status, headers });

/** Resolves once a condition is true of the session, at once or when it changes. */
const reaches = (session, condition) => new Promise((done) => {
  const stop = session.observe((one) => {
    if (!condition(one)) return;
    done();
    queueMicrotask(() => stop());
  });
});

const opened = async (service, options) =>
  await open('counter', 'a', 'http://service/base/', { fetch: service.fetch, ...options });

test('creates a session by name, with parameters and a token, below the path of the service', async () => {
  const service = new FakeService();
  const session = await opened(service, { name: 'mine', parameters: { seconds: 3 }, token: 't' });
  const [{ address, body, headers }] = service.requests;
  assert.equal(address, 'http://service/base/sessions');
  assert.deepEqual(JSON.parse(body), { viewModel: 'counter', name: 'mine', parameters: { seconds: 3 } });
  assert.equal(headers.Authorization, 'Bearer t');
  session.close();
});

test('shows each State once, in order, and those of heartbeats and cut lines not at all', async () => {
  const service = new FakeService();
  const session = await opened(service);
  const seen = [];
  session.observe(({ state }) => { if (seen.at(-1) !== state.value) seen.push(state.value); });
  await reaches(session, ({ connection }) => connection === 'live');
  service.push('{"event":"state","version":3,"sta');
  service.push('te":{"value":2}}\n\n{"event":"state","version":2,"state":{"value":1}}\n');
  service.push('{"event":"state","version":4,"state":{"value":3}}\n');
  await reaches(session, ({ version }) => version === 4);
  assert.deepEqual(seen, [0, 2, 3]);
  session.close();
});

test('resumes a stream that breaks off behind the version that is known', async () => {
  const service = new FakeService();
  const session = await opened(service);
  await reaches(session, ({ connection }) => connection === 'live');
  service.push('{"event":"state","version":7,"state":{"value":6}}\n');
  await reaches(session, ({ version }) => version === 7);
  service.streams[0].close();
  await reaches(session, ({ connection }) => connection === 'stale');
  await reaches(session, ({ connection }) => connection === 'live');
  assert.equal(service.of('GET /sessions/events')[1].headers['Last-Event-ID'], '7');
  session.close();
});

test('sends an Input with one key until it is answered, and the next one after it', async () => {
  const service = new FakeService();
  service.answers['POST /sessions/inputs'] = (count) => [
    new TypeError('no network'),
    json(503, {}, { 'Retry-After': '0.01' }),
    json(202, { version: 1, state: { value: 0 }, settled: false }),
    json(200, { version: 2, state: { value: 1 }, settled: true }),
    json(200, { version: 3, state: { value: 2 }, settled: true }),
  ][count - 1];
  const session = await opened(service);
  await Promise.all([session.send('increase'), session.send({ add: 2 })]);
  const sent = service.of('POST /sessions/inputs');
  assert.deepEqual(sent.map(({ body }) => body), [...Array(4).fill('"increase"'), '{"add":2}']);
  const keys = sent.map(({ headers }) => headers['Idempotency-Key']);
  assert.equal(new Set(keys.slice(0, 4)).size, 1);
  assert.notEqual(keys[0], keys[4]);
  assert.match(keys[0], /^[0-9a-f]{32}$/);
  assert.equal(session.state.value, 2);
  session.close();
});

test('waits until an Input is settled, on demand', async () => {
  const service = new FakeService();
  service.answers['POST /sessions/inputs'] = (count) =>
    json(200, { version: 1 + count, state: { value: count }, settled: count === 3 });
  const session = await opened(service);
  await session.send('increase', { settled: true });
  const sent = service.of('POST /sessions/inputs');
  assert.equal(sent.length, 3);
  assert.equal(sent[0].headers.Prefer, 'wait=25');
  assert.equal(session.state.value, 3);
  session.close();
});

test('rejects with the problem, and goes on with the next Input', async () => {
  const service = new FakeService();
  service.answers['POST /sessions/inputs'] = (count) =>
    count === 1 ? json(403, { type: '/problems/not-permitted', detail: 'Only Ada may.' }) : undefined;
  const session = await opened(service);
  const refused = session.send('increase');
  const sent = session.send('decrease');
  await assert.rejects(refused, (error) => {
    assert.ok(error instanceof Problem);
    assert.deepEqual([error.status, error.type, error.message], [403, '/problems/not-permitted', 'Only Ada may.']);
    return true;
  });
  await sent;
  session.close();
});

test('tells that the service has other types', async () => {
  const service = new FakeService();
  service.digest = 'b';
  const session = await opened(service);
  await reaches(session, ({ isOutdated }) => isOutdated);
  session.close();
});

test('is over once the session has ended', async () => {
  for (const way of ['event', 'gone', 'own']) {
    const service = new FakeService();
    if (way === 'gone') service.answers['GET /sessions/events'] = () => json(410, { detail: 'Gone.' });
    const session = await opened(service);
    if (way === 'event') {
      await reaches(session, ({ connection }) => connection === 'live');
      service.push('{"event":"end","reason":"expired"}\n');
    }
    if (way === 'own') await session.end();
    await reaches(session, ({ connection }) => connection === 'ended');
    assert.equal(session.endReason, { event: 'expired', gone: 'ended', own: 'deleted' }[way]);
  }
});

test('ends without an error if the end on the stream comes before the answer', async () => {
  const service = new FakeService();
  const session = await opened(service);
  await reaches(session, ({ connection }) => connection === 'live');
  service.answers['DELETE /sessions'] = async () => {
    service.push('{"event":"end","reason":"deleted"}\n');
    await reaches(session, ({ connection }) => connection === 'ended');
    throw new DOMException('This operation was aborted', 'AbortError');
  };
  await session.end();
  assert.equal(session.endReason, 'deleted');
});

test('does not go on once it is closed', async () => {
  const service = new FakeService();
  service.answers['POST /sessions/inputs'] = () => new TypeError('no network');
  const session = await opened(service);
  const sent = session.send('increase');
  session.close();
  await assert.rejects(sent);
  session.close();
});

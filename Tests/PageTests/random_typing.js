// A user who types, and a service that changes State meanwhile, both at random from a seed: neither the typed text nor the
// focus may be lost. The service and the clock are simulated in the page, so that a thousand interleavings take a minute. A
// second tab of the user shares the first one's clock and service.

(() => {
  window.load = () => import('/uifusion.js');
  if (opener) {
    for (const name of ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'fetch']) window[name] = opener[name];
    Date.now = () => opener.Date.now();
    return;
  }
  const later = window.setTimeout;
  const began = Date.now();
  const timers = new Map();
  let [now, lastTimer] = [0, 0];

  // Time passes as fast as the work gets done: one timer after another, and all other due work between two timers.
  window.setTimeout = (action, milliseconds = 0, ...values) => {
    timers.set(++lastTimer, { at: now + milliseconds, action: () => action(...values) });
    return lastTimer;
  };
  window.clearTimeout = (timer) => timers.delete(timer);
  window.requestAnimationFrame = (action) => setTimeout(action, 16, now);
  Date.now = () => began + now;

  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const next = [...timers].reduce((one, other) => (other[1].at < one[1].at ? other : one), [0, { at: Infinity }]);
    if (timers.delete(next[0])) {
      now = Math.max(now, next[1].at);
      next[1].action();
    }
    if (timers.size) port2.postMessage('');
    else later(() => port2.postMessage(''), 1);
  };
  port2.postMessage('');

  const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

  function generator(seed) {
    return () => {
      seed = (seed + 0x6d2b79f5) | 0;
      let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  const json = (body, status = 200, headers = {}) =>
    new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });

  class Service {
    isDown = false;
    version = 1;
    toggles = 0;
    added = [];
    state = { note: '', other: 0, rows: ['a', 'b', 'c', 'd'].map((id) => ({ id, text: id, isDone: false, isHidden: false })) };
    #keys = new Map();
    #streams = new Set();
    #random;

    constructor(id, random) {
      this.id = id;
      this.#random = random;
    }

    get snapshot() { return { id: this.id, viewModel: 'typing', version: this.version, state: structuredClone(this.state), settled: true }; }

    publish() {
      this.version++;
      for (const stream of this.#streams) this.#say(stream);
    }

    cut() {
      for (const { controller } of this.#streams) controller.error(new TypeError('cut'));
      this.#streams.clear();
    }

    follow(signal) {
      const stream = { last: Promise.resolve() };
      const body = new ReadableStream({ start(controller) { stream.controller = controller; } });
      this.#streams.add(stream);
      this.#say(stream);
      signal.addEventListener('abort', () => {
        if (this.#streams.delete(stream)) stream.controller.error(new DOMException('aborted', 'AbortError'));
      });
      return new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } });
    }

    #say(stream) {
      const { version, state } = this.snapshot;
      const line = JSON.stringify({ event: 'state', session: this.id, id: `${this.id}.${version}`, version, state });
      stream.last = stream.last.then(() => pause(this.#random() * 120)).then(() => {
        if (this.#streams.has(stream)) stream.controller.enqueue(new TextEncoder().encode(`${line}\n`));
      });
    }

    take(body, key) {
      if (!this.#keys.has(key)) {
        for (const input of [JSON.parse(body)].flat()) this.#apply(input);
        this.publish();
        this.#keys.set(key, this.version);
      }
      return new Response(null, { status: 204, headers: { ETag: `"${this.version}"` } });
    }

    #apply(input) {
      const [[name, value]] = Object.entries(input);
      const row = this.state.rows.find(({ id }) => id === value.id);
      if (name === 'setNote') this.state.note = value;
      if (name === 'add') this.added.push(value.title);
      if (name === 'toggle') this.toggles++;
      if (name === 'setText' && row) row.text = value.text;
    }
  }

  let service, random;

  window.fetch = async (url, { method = 'GET', body, headers = {}, signal } = {}) => {
    const { pathname } = new URL(url);
    const its = service;
    await pause(random() * 90);
    signal?.throwIfAborted();
    if (its.isDown || its !== service) throw new TypeError('Failed to fetch');
    if (pathname.startsWith('/view-models')) return json({ inputs: [] });
    if (pathname === '/events') return its.follow(signal);
    if (method === 'DELETE') return new Response(null, { status: 204 });
    if (!pathname.endsWith('/inputs')) return json(its.snapshot, 200, { ETag: `"${its.version}"` });
    const answer = its.take(body, headers['Idempotency-Key']);
    await pause(random() * 90);
    // The Inputs are applied, but the response is lost.
    if (random() < 0.1) throw new TypeError('Failed to fetch');
    return answer;
  };

  const page = `<p>{other}</p><input name="note" data-value="note" data-input="setNote($value)">
    <form method="dialog" data-input="add(title: $title)" data-repeat><input name="title"></form>
    <ul><template data-each="rows" data-key="id"><li data-show="not .isHidden">
      <input type="checkbox" data-value=".isDone" data-input="toggle(id: .id)">
      <input name="text" data-value=".text" data-input="setText(id: .id, text: $value)" data-attr-data-id=".id">
      <button data-input="toggle(id: .id)">Toggle</button></li></template></ul>`;

  /** A tab of the user that shows a session; `at` is the focused field. */
  class Tab {
    static second;

    static async open(number, seed) {
      let its = window;
      if (number) {
        its = this.second ??= await new Promise((loaded) => {
          const tab = open(location.pathname);
          tab.onload = () => loaded(tab);
        });
      }
      const { session, bind } = await its.load();
      return new Tab(its, seed, session, bind);
    }

    at;
    title; // the typed text of the field that is not bound to State

    constructor(window, seed, session, bind) {
      this.window = window;
      this.document = window.document;
      this.main = this.document.createElement('main');
      this.main.setAttribute('data-view-model', 'typing');
      this.main.setAttribute('data-name', seed);
      this.main.append(this.document.createRange().createContextualFragment(page));
      this.document.body.append(this.main);
      bind(this.main);
      this.session = session('typing', { name: String(seed) });
    }

    get isLive() { return this.session.connection === 'live' && this.main.querySelectorAll('li').length === 4; }
    get isQuiet() { return !this.session.waiting.length && this.session.connection === 'live' && this.session.version >= service.version; }
    get fields() { return [...this.main.querySelectorAll('input:not([type=checkbox])')].filter((field) => field.checkVisibility()); }

    wrongFocus() {
      const { activeElement } = this.document;
      return this.at && activeElement !== this.at
        && `the focus has gone to <${activeElement.localName}>, and the field ${keyOf(this.at)} is ${this.at.checkVisibility() ? 'there' : 'gone'}`;
    }

    async close() {
      await this.session.close();
      this.main.remove();
    }
  }

  const keyOf = (field) => field.dataset.id ?? field.name;

  /** Plays an interleaving; returns what went wrong as a sentence, or undefined. */
  async function interleaving(seed, length) {
    // Separate generators, so that the user's acts do not depend on the times of requests.
    random = generator(-seed);
    const decide = generator(seed);
    const below = (count) => Math.floor(decide() * count);
    const one = (list) => list[below(list.length)];
    service = new Service(`session-${seed}`, random);

    // Every second interleaving has two tabs.
    const tabs = await Promise.all([...Array(1 + seed % 2).keys()].map((number) => Tab.open(number, seed)));
    const settled = async (condition) => {
      for (const end = performance.now() + 60_000; performance.now() < end && !condition();) await new Promise((done) => later(done, 1));
      return condition();
    };
    if (!await settled(() => tabs.every(({ isLive }) => isLive))) return 'the page is not live';

    let tab = tabs[0]; // the user's present tab
    const expected = new Map(); // by field: the typed text and its tab
    const titles = [];
    const isElsewhere = (field) => expected.has(keyOf(field)) && expected.get(keyOf(field)).tab !== tab;
    const fields = () => tab.fields.filter((field) => !isElsewhere(field));
    const expect = (field) => {
      if (field.name === 'title') tab.title = field.value;
      else expected.set(keyOf(field), { tab, text: field.value });
    };
    const wrongText = (its = tab) => {
      const { at, title } = its;
      const typed = at && expected.get(keyOf(at));
      const text = at?.name === 'title' ? title : typed?.tab === its ? typed.text : undefined;
      return text !== undefined && at.value !== text && `${keyOf(at)} has “${at.value}”, not “${text}”`;
    };
    const wrongFocus = () => tabs.map((tab) => tab.wrongFocus()).find(Boolean);
    const edit = (command, text) => {
      const { at } = tab;
      const wrong = wrongFocus() || wrongText();
      // Texts of two tabs for one field arrive in any order, so the user types only in one.
      if (wrong || isElsewhere(at)) return wrong;
      const before = at.value;
      tab.document.execCommand(command, false, text);
      if (at.value !== before) expect(at);
    };

    const user = {
      focus() {
        tab.at = one(fields());
        tab.at?.focus();
        // Leaving a field sends its text and shows State: the chosen field may be gone now.
        if (!tab.at?.checkVisibility()) tab.at = undefined;
      },
      switch() {
        for (const type of ['blur', 'focusout']) tab.at?.dispatchEvent(new FocusEvent(type, { bubbles: type === 'focusout' }));
        tab = one(tabs);
      },
      type: () => tab.at && edit('insertText', one([...'abc ', 'ㅎ'])),
      type2: () => tab.at && (edit('insertText', one([...'de'])) || edit('insertText', ' ')),
      paste: () => tab.at && edit('insertText', 'pasted words'),
      erase: () => tab.at && edit('delete'),
      caret: () => tab.at?.setSelectionRange(below(tab.at.value.length + 1), tab.at.value.length),
      end: () => tab.at?.setSelectionRange(tab.at.value.length, tab.at.value.length),
      async compose() {
        const { at } = tab;
        if (!at) return undefined;
        at.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
        for (const letter of 'ㅎㅏㄴ') {
          const wrong = edit('insertText', letter);
          if (wrong) return wrong;
          await change();
          await pause(below(180));
        }
        at.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
      },
      autofill() {
        const field = one(fields().filter((field) => field !== tab.at && field.name !== 'title'));
        if (!field) return;
        field.value = `filled ${below(100)}`;
        for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
        expect(field);
      },
      async submit() {
        const { at } = tab;
        if (at?.name !== 'title') return undefined;
        titles.push(at.value);
        at.form.requestSubmit();
        for (let turn = 0; turn < 10; turn++) await null;
        expect(at);
        if (at.value) return 'the form was not sent';
      },
    };

    const changes = {
      other() { service.state.other++; },
      add() { service.state.rows.splice(below(service.state.rows.length + 1), 0, { id: `r${service.version}`, text: '', isDone: false, isHidden: false }); },
      remove() { if (service.state.rows.length > 1) service.state.rows.splice(below(service.state.rows.length), 1); },
      reorder() { service.state.rows.sort(() => decide() - 0.5); },
      tick() { Object(one(service.state.rows)).isDone = decide() < 0.5; },
      hide() { Object(one(service.state.rows)).isHidden = decide() < 0.3; },
      retitle() {
        const row = one(service.state.rows);
        if (!expected.has(row.id)) row.text = `theirs ${service.version}`;
      },
    };
    const change = async () => {
      changes[one(Object.keys(changes))]();
      service.publish();
    };

    const network = {
      cut: () => service.cut(),
      async down() {
        service.isDown = true;
        service.cut();
        await pause(below(900));
        service.isDown = false;
      },
      // The leader loses the lock, and with it the stream.
      lead: () => navigator.locks.request(`uifusion ${location.origin}/`, { steal: true }, () => {}),
    };

    const done = [];
    for (let step = 0; step < length; step++) {
      const kind = decide();
      const [name, act] = kind < 0.6 ? one(Object.entries(user)) : kind < 0.95 ? ['change', change] : one(Object.entries(network));
      done.push(name);
      const wrong = await act() || wrongFocus() || tabs.map(wrongText).find(Boolean);
      if (wrong) return `after ${done.join(' ')}: ${wrong}`;
      if (decide() < 0.6) await pause(below(120));
    }

    for (const { at } of tabs) at?.dispatchEvent(new Event('change'));
    if (!await settled(() => tabs.every(({ isQuiet }) => isQuiet))) return `${tabs.map(({ session }) => session.waiting.length)} wait for ever`;
    await pause(500);
    if (wrongFocus()) return `at the end of ${done.join(' ')}: ${wrongFocus()}`;
    const { note, rows } = service.state;
    const kept = new Map([['note', note], ...rows.map(({ id, text }) => [id, text])]);
    for (const [key, { text }] of expected) {
      if (kept.has(key) && kept.get(key) !== text) return `after ${done.join(' ')}: ${key} was “${text}” and is “${kept.get(key)}”`;
      const shown = kept.has(key) && tabs.flatMap(({ fields }) => fields).find((field) => keyOf(field) === key && field.value !== text);
      if (shown) return `after ${done.join(' ')}: ${key} is “${text}”, and a tab shows “${shown.value}”`;
    }
    // Two tabs do not wait for each other, so the order may differ.
    if (tabs.length > 1) for (const list of [service.added, titles]) list.sort();
    if (service.added.join() !== titles.join()) return `after ${done.join(' ')}: ${titles} were added, and there are ${service.added}`;
    if (service.toggles) return `after ${done.join(' ')}: something was ticked`;
    for (const tab of tabs) await tab.close();
  }

  window.interleave = async (first, count, length) => {
    for (let seed = first; seed < first + count; seed++) {
      const wrong = await interleaving(seed, length);
      if (wrong) return `seed ${seed}: ${wrong}`;
    }
    Tab.second?.close();
  };
})();

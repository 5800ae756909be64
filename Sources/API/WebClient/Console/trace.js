// The live trace of a session, if the service offers one: then the page has a place for it.

import { elementOf } from '../Page/elements.js';
import { written } from './differences.js';
import { precise, senderOf } from './log.js';
import { service } from './service.js';

const most = 500;
const code = (text) => elementOf('code', { dir: 'auto' }, text);
const hint = (text) => elementOf('span', { className: 'hint' }, text);
const timeOf = (text) => precise(new Date(text));
// Leaves out the types in an id.
const short = (id) => id.replaceAll(/\.<computed .*?\)>/g, '').replaceAll(/(^|\/)(?:[A-Z]\w*\.)+/g, '$1');
const nameOf = (input) => (typeof input === 'string' ? input : Object.keys(input ?? {})[0]);

export class Trace {
  #log;
  #source;
  #id;
  #last; // the id of the newest event
  #running = new Map(); // the running effects, by their numbers
  #alarms = new Map();
  #labels = new Map(); // the labels of events that may be a cause, by the event's id
  #own = []; // the names of Inputs that this console has sent, and so are in the log
  #words = hint('Asleep, or not here yet.');
  #work = elementOf('ul', { ariaLabel: 'At work' });
  #set = elementOf('ul', { ariaLabel: 'Alarms' });

  constructor(place, log) {
    this.#log = log;
    // A browser allows six connections to a service, for all tabs together.
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#source?.close() : this.#id && this.#open()));
    place.append(elementOf('h3', {}, 'At work'), this.#words, this.#work, elementOf('h3', {}, 'Alarms'), this.#set);
    this.#show();
  }

  /** Shows another session. */
  follow(id) {
    [this.#id, this.#last, this.#own] = [id, undefined, []];
    this.#running.clear();
    this.#alarms.clear();
    this.#open();
  }

  #open() {
    this.#source?.close();
    if (document.hidden) return;
    const after = this.#last ? `?after=${this.#last}` : '';
    this.#source = new EventSource(`${service}sessions/${encodeURIComponent(this.#id)}/trace${after}`);
    this.#source.onerror = ({ target }) => {
      if (target.readyState === EventSource.CLOSED) this.#words.textContent = 'What happens cannot be followed now.';
    };
    for (const kind of ['session', 'input', 'action', 'error', 'effect', 'alarm', 'message', 'followed', 'dropped', 'end']) {
      // The connection's own `error` has no data.
      this.#source.addEventListener(kind, ({ data, lastEventId }) => data && this.#take(kind, JSON.parse(data), lastEventId));
    }
  }

  /** Adds an Input that the log already has; returns a function that removes it. */
  sent(input) {
    const own = [input].flat().map((one) => ({ name: nameOf(one) }));
    this.#own.push(...own);
    return () => { this.#own = this.#own.filter((one) => !own.includes(one)); };
  }

  #take(kind, event, id) {
    this.#last = id || this.#last;
    const label = this[`_${kind}`](event);
    if (kind === 'input' || kind === 'alarm' || kind === 'effect' || event.sent) this.#labels.set(id, label);
    if (this.#labels.size > most) this.#labels.delete(this.#labels.keys().next().value);
  }

  #add(kind, title, event, ...content) {
    const cause = this.#labels.get(event.cause);
    this.#log.heard(kind, title, event, ...content, ...cause ? [' ', hint(`by ${cause}`)] : []);
  }

  _session({ isAwake, running = [], alarms }) {
    this.#running = new Map(running.map((one) => [one.effect ?? one.name, one]));
    // Without `alarms`, the session falls asleep, and its alarms stay as they are.
    if (alarms) this.#alarms = new Map(alarms.map((one) => [one.alarm, one]));
    this.#words.textContent = isAwake ? '' : 'Asleep.';
    this.#show();
  }

  _input(event) {
    const { input } = event;
    const own = event.from ? -1 : this.#own.findIndex(({ name }) => name === nameOf(input));
    if (own >= 0) this.#own.splice(own, 1);
    else this.#add('input', 'Input', event, code(written(input)), ' ', hint(senderOf(event) || 'not sent here'));
    return `Input ${nameOf(input)}`;
  }

  _action(event) {
    const { action, text, sent, refusal } = event;
    const done = action ?? text;
    this.#add('action', sent ? 'Action sent' : 'Action', event, code(written(done)), ...refusal ? [' ', hint(`as refused: ${refusal}`)] : []);
    return `action ${nameOf(done)}`;
  }

  _error(event) { this.#add('error', 'Error', event, code(event.error ?? event.unwritable)); }

  _effect(event) {
    const { effect, name, kind, step } = event;
    const shown = kind === 'input' ? 'work of an Input' : name ? short(name) : `${kind} without id`;
    if (step === 'started') this.#running.set(effect, { ...event, since: event.time });
    else this.#running.delete(effect);
    this.#add('effect', `Effect ${step}`, event, code(shown), ' ', hint(name ? kind : ''));
    this.#show();
    return `effect ${shown}`;
  }

  _alarm(event) {
    const { alarm, step, due, late } = event;
    if (step === 'set') this.#alarms.set(alarm, event);
    else this.#alarms.delete(alarm);
    this.#add('alarm', `Alarm ${step}`, event, code(alarm), ' ',
      hint(due ? `for ${new Date(due).toLocaleString()}` : step === 'rang' ? `${late} ms after its time` : ''));
    this.#show();
    return `alarm ${alarm}`;
  }

  _message(event) {
    const { step, session, isReply } = event;
    const title = { sent: isReply ? 'Reply to' : 'Message to', delivered: 'Delivered to', refused: 'Refused by' }[step];
    this.#add('alarm', title, event, code(session ?? ''));
  }

  _followed(event) { this.#add('action', 'Newer State of', event, code(event.session)); }

  _dropped(event) {
    this.#add('error', 'Not shown', event, hint(event.count ? `${event.count} events, as they came too fast` : 'events from before'));
    // A new trace begins with the running effects.
    if (event.count) this.follow(this.#id);
    else this.#last = undefined;
  }

  _end() {
    this.#source.close();
    this.#id = undefined;
    this.#running.clear();
    this.#alarms.clear();
    this.#words.textContent = 'The session has ended.';
    this.#show();
  }

  #show() {
    this.#work.replaceChildren(...[...this.#running.values()].map(({ name, kind = '', since }) => elementOf('li', {},
      code(name ? short(name) : `${kind} without id`), ' ', hint([kind, since && `since ${timeOf(since)}`].filter(Boolean).join(', ')))));
    this.#set.replaceChildren(...[...this.#alarms.values()].map(({ alarm, due, action }) => elementOf('li', {},
      code(alarm), ' ', hint([`at ${new Date(due).toLocaleString()}`, action].filter(Boolean).join(': ')))));
    for (const list of [this.#work, this.#set]) if (!list.children.length) list.append(elementOf('li', {}, hint('nothing')));
  }
}

// The planning document as a table that ticks off what was seen.

import { elementOf } from '../Page/elements.js';

const marks = { input: '🟩', action: '✴️', state: '🟦' };
const mark = (kind) => elementOf('span', { ariaHidden: 'true' }, `${marks[kind]} `);
const textOf = (tag, text) => elementOf(tag, { dir: 'auto' }, text);

/** Fills the table; returns the plan, which is to be called for what happens. */
export function planningTable(place, { inputs }) {
  const situations = inputs.flatMap(({ name, situations = [] }) => situations.map((one) => new Situation(name, one)));
  if (!situations.length) {
    place.append(elementOf('p', { className: 'hint' }, 'This view model has no plan. Conform it to Planned, and its situations stand here.'));
  } else {
    const heads = ['Seen', 'Input', 'Action', 'State'].map((name) => elementOf('th', { scope: 'col' }, name));
    place.className = 'scroll';
    Object.assign(place, { tabIndex: 0, role: 'region', ariaLabel: 'Planning document' });
    place.append(elementOf('table', {}, elementOf('thead', {}, elementOf('tr', {}, ...heads)), elementOf('tbody', {}, ...situations.map(({ row }) => row))));
  }
  return new Plan(situations);
}

class Plan {
  #situations;
  #open = []; // {name, input, members}: the Inputs that have not settled, and the members that have changed since

  constructor(situations) {
    this.#situations = situations;
  }

  /** Adds an Input; returns a function that removes it if the service refuses it. */
  sent(input) {
    const name = typeof input === 'string' ? input : Object.keys(input ?? {})[0];
    const open = { name, input: JSON.stringify(input), members: new Set() };
    this.#open.push(open);
    return () => { this.#open = this.#open.filter((one) => one !== open); };
  }

  changed(members) {
    for (const open of this.#open) for (const member of members) open.members.add(member);
  }

  /** Ticks, for each Input, the situation that explains most of the changed members and no unchanged one. */
  settled() {
    for (const { name, input, members } of this.#open.splice(0)) {
      const fitting = this.#situations.filter((one) => one.name === name && one.members.every((member) => members.has(member)))
        .filter((one) => one.members.length || !members.size);
      const most = Math.max(...fitting.map((one) => one.members.length));
      const best = fitting.filter((one) => one.members.length === most);
      const alike = best.filter((one) => one.input === input);
      for (const one of alike.length ? alike : best) one.tick();
    }
  }
}

/** Returns Inputs as text, repeated ones with their count. */
function inARow(inputs) {
  const runs = [];
  for (const text of inputs.map((input) => JSON.stringify(input))) {
    if (runs.at(-1)?.text === text) runs.at(-1).times += 1;
    else runs.push({ text, times: 1 });
  }
  return runs.map(({ text, times }) => (times === 1 ? text : `${times} × ${text}`)).join(', ');
}

class Situation {
  #box = elementOf('td', {}, elementOf('span', { className: 'hint' }, 'not yet'));

  constructor(name, { sentence, after, delay, send, actions }) {
    this.name = name;
    this.input = JSON.stringify(send);
    this.members = actions.flatMap(({ changes }) => Object.keys(changes)).map((member) => member.split('.')[0]);
    const before = after.length
      ? [elementOf('div', { className: 'hint' }, 'after ', elementOf('code', {}, inARow(after)), delay === null ? '' : ` and ${delay} s`)] : [];
    this.row = elementOf('tr', {},
      this.#box,
      elementOf('td', {}, mark('input'), elementOf('code', {}, name), textOf('div', sentence), ...before),
      elementOf('td', {}, ...actions.map((action) => elementOf('div', {}, mark('action'), elementOf('code', {}, action.name)))),
      elementOf('td', {}, ...actions.flatMap(({ changes }) => Object.entries(changes)).map(([member, words]) =>
        elementOf('div', {}, mark('state'), elementOf('code', {}, member), ' ', textOf('span', words)))));
  }

  tick() {
    this.row.className = 'seen';
    this.#box.replaceChildren(elementOf('strong', {}, '✓ seen'));
  }
}

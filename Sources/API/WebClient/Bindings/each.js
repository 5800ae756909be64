// Lists: a template's content for each element of an array. A row keeps its DOM elements for as long as its key exists.

import { expression } from '../Expressions/expressions.js';
import { isShown, read, readings, refresh } from '../Expressions/scopes.js';
import { hasMembers, isYes } from '../Expressions/truth.js';
import { staying } from '../Lists/moves.js';
import { elementsOf, nodesOf } from '../Lists/rows.js';
import { ways } from '../Lists/ways.js';
import { depart } from '../Page/departures.js';
import { dom } from '../Page/dom.js';
import { focusing } from '../Page/focusing.js';
import { hosts } from '../Page/hosts.js';
import { reportMistake } from '../Page/mistakes.js';
import { own } from '../Page/prefix.js';
import { inputsOf } from '../Schemas/known.js';
import { valueAt } from '../Session/paths.js';
import { grow, planOf, run } from './plans.js';

/** The rows of one chunk, which takes some 50 ms at most, so that the page stays responsive. */
const rowsAtOnce = 200;

/** Runs an action after pending events, and preferably before the next paint. */
const soon = (action) => globalThis.scheduler?.postTask?.(action, { priority: 'user-blocking' }) ?? setTimeout(action);

export const each = {
  name: 'each',
  isAlone: true,

  plan(element, plan) {
    const { each } = own(element);
    if (dom(element).localName !== 'template' || !each) return reportMistake(element, 'data-each', 'write <template data-each="todos">');
    const source = plan.read(element, 'data-each', expression);
    const content = contentOf(element);
    trim(content);
    const rowPlan = planOf(content, plan.depth + 1, plan.locals);
    const where = rowPlan.read(element, 'data-where', expression);
    const order = plan.read(element, 'data-sort', expression);
    const locals = new Set(plan.locals.values());
    // What rows read from outside of their own element: a change updates all rows.
    const outside = rowPlan.uses.filter((use) => isShown(use) && use.up !== 1 && use.path !== '$index' && (!use.local || locals.has(use.local)))
      .map((use) => ({ ...use, up: use.up && use.up - 1 })).concat(order?.uses ?? []);
    plan.uses.push(...outside);
    const hasIndex = rowPlan.uses.some(({ path }) => path === '$index');
    return source && { source, content, rowPlan, where, order, outside, hasIndex };
  },

  apply(template, scope, { source, content, rowPlan, where, order, outside, hasIndex }) {
    const dataset = own(template);
    let [rows, items, known, all] = [[], [], []]; // the rows in order; undefined ones are still to be made
    const members = new Map();
    let isWhole = true; // whether all rows are in their places
    let hasBegun = false;
    let goOn; // puts the next chunk of rows in their places
    const isAnimated = 'transition' in dataset;
    const kept = new Set(); // deleted rows in which the user types
    /** What the ways of lists need. */
    const list = { kept, remove, itemOf: (key) => (where ? elements(all).find((item) => keyOf(item) === key) : undefined) };

    function newItems(isStale) {
      const value = source(scope, template);
      if (value === all && !isStale) return items;
      all = value;
      const shown = elements(value).filter((row, index) => !where || isYes(where({ ...scope, parent: scope, row, index }, template)));
      return order ? ways.sorted(shown, order(scope, template)) : shown;
    }

    function elements(value) {
      if (Array.isArray(value)) return value;
      if (!hasMembers(value)) {
        if (value) reportMistake(template, 'data-each', 'this is no array');
        return [];
      }
      return Object.entries(value).map(([key, value]) => {
        // Keeps the same object for the same value.
        if (members.get(key)?.value !== value) members.set(key, { key, value });
        return members.get(key);
      });
    }

    function keyOf(item, index) {
      const { key } = dataset;
      const own = key ? valueAt(item, key.replace(/^\./, '')) : members.has(item?.key) ? item.key : item?.id ?? item;
      return typeof own === 'object' ? index : own ?? index;
    }

    function keysOf(items) {
      const taken = new Set();
      return items.map((item, index) => {
        let key = keyOf(item, index);
        if (taken.has(key) && dataset.key) reportMistake(template, 'data-key', `two rows have the key ${key}`);
        while (taken.has(key)) key += ' ';
        taken.add(key);
        return key;
      });
    }

    function newRow(item, index, key) {
      const { session, depth, place } = scope;
      const made = document.importNode(content, true);
      const row = {
        scope: { session, depth: depth + 1, place: `${place}/${key}`, parent: scope, row: item, index, key, each: dataset.each, list: source.uses[0] },
        content: made,
        nodes: [made.firstChild, made.lastChild],
      };
      row.updates = grow(made, rowPlan, row.scope);
      for (const element of made.children) hosts.set(element, row);
      run(row.updates);
      return row;
    }

    function remove(row) {
      row.scope.isOver = true;
      kept.delete(row);
      for (const element of elementsOf(row)) {
        focusing.leave(element);
        depart(element);
        if (isAnimated) ways.takeOut(element, () => standing().flatMap(elementsOf));
      }
      for (const node of nodesOf(row)) if (!isAnimated || !node.localName) dom(node).remove();
    }

    /** Returns the rows in the order in which they stand behind the template. */
    function standing() {
      const beginnings = new Map(rows.filter((row) => row && !kept.has(row)).map((row) => [row.nodes[0], row]));
      const found = [];
      for (let node = template; node; node = dom(node).nextSibling) found.push(beginnings.get(node));
      return found.filter(Boolean);
    }

    /** Begins to put rows in their places. Returns an animation to run once the rows are updated. */
    function rearrange(keys) {
      const old = new Map(standing().map((row, place) => [row.scope.key, [row, place]]));
      const back = new Map([...kept].map((row) => [row.scope.key, row]));
      const places = [];
      rows = keys.map((key) => {
        const [row, place] = old.get(key) ?? [back.get(key), -1];
        old.delete(key);
        places.push(place);
        return row;
      });
      const focused = template.moveBefore ? -1 : rows.findIndex((row, index) => places[index] >= 0 && hasFocus(row));
      const stays = staying(places, focused);
      const isMoved = places.some((place, index) => place >= 0 && !stays[index]);
      const settle = isMoved ? ways.gliding(rows.filter((row, index) => places[index] >= 0).flatMap(elementsOf)) : undefined;
      // Removes the focused row last, when only rows that stay are left to take the focus.
      for (const [row] of [...old.values()].sort(([one], [other]) => hasFocus(one) - hasFocus(other))) ways.take(list, row);
      let index = 0;
      let end = template;
      goOn = () => {
        for (let count = 0; index < keys.length; index++) {
          if (!stays[index] && ++count > rowsAtOnce) break;
          const row = rows[index] ??= newRow(items[index], index, keys[index]);
          if (kept.delete(row)) ways.bringBack(row);
          const isNew = hasBegun && row.content;
          if (!stays[index]) move(row, end);
          if (isNew && isAnimated) for (const element of elementsOf(row)) ways.animated(element, 'arriving');
          end = row.nodes[1];
        }
        isWhole = index === keys.length;
        if (!isWhole) soon(() => refresh(scope));
      };
      goOn();
      return settle;
    }

    return () => {
      if (scope.session.state === null) return;
      // The rows wait for the schemas, too.
      const [before, now] = [known, [...outside.map((use) => read(use, scope)), inputsOf(scope.session) ?? undefined, readings.length]];
      const isStale = now.some((value, index) => value !== before[index]);
      const changed = newItems(isStale);
      if (changed !== items || isStale || [...rows, ...kept].some((row) => row?.scope.isDue)) {
        [items, known] = [changed, now];
        const keys = keysOf(items);
        const isAsBefore = isWhole && rows.length === keys.length && keys.every((key, index) => key === rows[index].scope.key);
        const settle = isAsBefore ? undefined : rearrange(keys);
        for (const [index, { scope, updates } = {}] of rows.entries()) {
          if (!scope || scope.row === items[index] && !isStale && !scope.isDue && (!hasIndex || scope.index === index)) continue;
          Object.assign(scope, { row: items[index], index, isDue: false });
          run(updates);
        }
        for (const row of kept) ways.keep(list, row);
        settle?.();
      } else if (!isWhole) goOn();
      hasBegun ||= isWhole;
    };
  },
};

/** Returns a template's content; in SVG and MathML, its elements are taken out of it. */
function contentOf({ content, childNodes }) {
  if (content) return content;
  const taken = new DocumentFragment();
  taken.append(...childNodes);
  return taken;
}

/** Removes the blanks around a row's content. */
function trim(content) {
  for (const side of ['firstChild', 'lastChild']) {
    while (content[side] instanceof Text && !content[side].data.trim()) content[side].remove();
  }
  // A row that begins or ends with a text, which may be replaced, or ends with a list, gets a lasting node there.
  if (content.firstChild instanceof Text) content.prepend(document.createComment(''));
  if (content.lastChild instanceof Text || content.lastChild?.localName === 'template' || !content.lastChild) content.append(document.createComment(''));
}

const hasFocus = (row) => nodesOf(row).some((node) => dom(node).contains(document.activeElement));

/** Moves a row behind a node. */
function move(row, before) {
  if (row.content) {
    dom(before).after(row.content);
    row.content = null;
    return;
  }
  const { parentNode, nextSibling, isConnected } = dom(before);
  if (nextSibling === row.nodes[0]) return;
  const put = isConnected && dom(parentNode).moveBefore ? 'moveBefore' : 'insertBefore';
  for (const node of nodesOf(row)) dom(parentNode)[put](node, nextSibling);
}

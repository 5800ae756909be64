// State of the page alone: `data-local="isEditing: false"` declares it, `data-set` and fields change it, and expressions
// read it as they read State. No other page sees it.

import { dom } from '../Core/dom.js';
import { own } from '../Core/prefix.js';
import { parsed, placeOf } from '../Core/request.js';
import { tabStorage } from '../Core/storage.js';
import { assignments } from '../Bindings/expressions.js';
import { reportMistake } from '../Bindings/mistakes.js';
import { happening, refresh } from '../Bindings/scopes.js';
import { eventsOf } from '../Bindings/values.js';

// A declaration belongs to an element; its values are in the scope of the container, or of each row.

function ownerOf(local, scope) {
  while (!scope.locals?.has(local)) scope = scope.parent;
  return scope;
}

export const localValues = (local, scope) => ownerOf(local, scope).locals.get(local);

export function setLocal(local, scope, changes) {
  const owner = ownerOf(local, scope);
  const values = { ...owner.locals.get(local), ...changes };
  owner.locals.set(local, values);
  if (local.isKept) tabStorage.setItem(keyOf(local, owner), JSON.stringify(values));
  refresh(owner);
}

const keyOf = ({ source }, { place }) => placeOf('local', `${location.pathname} ${source} ${place}`);

export function localStep(element, plan) {
  const first = plan.read(element, 'data-local', assignments, true);
  if (!first) return undefined;
  const local = { source: own(element).local, isKept: 'keep' in own(element) };
  for (const name of first.names) plan.locals = new Map(plan.locals).set(name, local);
  return (node, scope) => {
    const kept = local.isKept && parsed(tabStorage.getItem(keyOf(local, scope)));
    scope.locals ??= new Map();
    scope.locals.set(local, { ...first(scope, node), ...kept });
  };
}

export function setStep(element, plan) {
  const changes = plan.read(element, 'data-set', assignments, true);
  if (!changes) return undefined;
  const unknown = changes.names.find((name) => !plan.locals.has(name));
  if (unknown) return reportMistake(element, 'data-set', `no data-local around it has “${unknown}”`);
  const { locals } = plan;
  return (node, scope) => {
    for (const type of eventsOf(node)) {
      dom(node).addEventListener(type, (event) => {
        happening.event = event;
        if (type === 'submit') event.preventDefault();
        for (const [name, value] of Object.entries(changes(scope, node))) setLocal(locals.get(name), scope, { [name]: value });
      });
    }
  };
}

// State of the page alone: `data-local="isEditing: false"` declares it, `data-set` and fields change it, and expressions
// read it as they read State. No other page sees it.

import { assignments } from '../Expressions/expressions.js';
import { refresh } from '../Expressions/scopes.js';
import { own } from '../Page/prefix.js';
import { placeOf } from '../Service/address.js';
import { parsed } from '../Service/request.js';
import { tabStorage } from '../Service/storage.js';

// A declaration belongs to an element; its values are in the scope of the container, or of each row.

function ownerOf(local, scope) {
  while (!scope.locals?.has(local)) scope = scope.parent;
  return scope;
}

export function setLocal(local, scope, changes) {
  const owner = ownerOf(local, scope);
  const values = { ...owner.locals.get(local), ...changes };
  owner.locals.set(local, values);
  if (local.isKept) tabStorage.setItem(keyOf(local, owner), JSON.stringify(values));
  refresh(owner);
}

const keyOf = ({ source }, { place }) => placeOf('local', `${location.pathname} ${source} ${place}`);

export const local = {
  name: 'local',
  isAround: true,

  plan(element, plan) {
    const first = plan.read(element, 'data-local', assignments, true);
    if (!first) return undefined;
    const local = {
      source: own(element).local,
      isKept: 'keep' in own(element),
      valuesIn: (scope) => ownerOf(local, scope).locals.get(local),
      change: (scope, changes) => setLocal(local, scope, changes),
    };
    for (const name of first.names) plan.locals = new Map(plan.locals).set(name, local);
    return { first, local };
  },

  apply(node, scope, { first, local }) {
    const kept = local.isKept && parsed(tabStorage.getItem(keyOf(local, scope)));
    scope.locals ??= new Map();
    scope.locals.set(local, { ...first(scope, node), ...kept });
  },
};

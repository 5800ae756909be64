// Fragments that pages share: an element with `data-include="footer.html"` is filled with that file's content.

import { grow, planOf, run } from '../Bindings/plans.js';
import { bind } from '../Bindings/view-model.js';
import { onDeparture } from '../Page/departures.js';
import { dom } from '../Page/dom.js';
import { reportMistake } from '../Page/mistakes.js';
import { named, own } from '../Page/prefix.js';
import { Pause, backoff } from '../Service/timing.js';

const loaded = new Map(); // the nodes of a file, by its address

/** Resolves to a file's content, and retries until it comes; a missing file is the author's mistake. */
async function ask(href, failures = 0) {
  try {
    const response = await fetch(href);
    if (response.ok) {
      // Runs no script of the file.
      return new DOMParser().parseFromString(await response.text(), 'text/html').body;
    }
    if (response.status < 500) throw new Error(`it is not there (${response.status})`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  await new Pause().wait(backoff(failures));
  return ask(href, failures + 1);
}

async function load(name, element) {
  const { href, origin } = new URL(name, document.baseURI);
  if (origin !== location.origin) throw new Error('it is on another origin');
  if (!loaded.has(href)) loaded.set(href, ask(href));
  const body = await loaded.get(href);
  // By now the element is in its place: a file may include others, but not itself.
  for (let around = dom(element).parentElement; around; around = dom(around).parentElement) {
    if (own(around).include === name) throw new Error('it includes itself');
  }
  return document.importNode(body, true);
}

/** Resolves to the nodes once they have loaded; a failure is reported to the author. */
const contentOf = (element) => load(own(element).include, element)
  .catch(({ message }) => reportMistake(element, 'data-include', `${own(element).include}: ${message}`));

/** Fills an element of a session; the content is bound to the scope around it. */
export const include = {
  name: 'include',

  plan(element, plan) {
    if (!own(element).include) return undefined;
    const { depth, locals } = plan;
    plan.uses.push({ up: 0, path: '$version' }); // the file may read any member of State
    return { depth, locals };
  },

  apply(node, scope, { depth, locals }) {
    let updates = [];
    let isGone = false;
    onDeparture(node, () => { isGone = true; });
    contentOf(node).then((content) => {
      if (!content || isGone) return;
      updates = grow(content, planOf(content, depth, locals), scope);
      dom(node).append(...content.childNodes);
      run(updates);
    });
    return () => run(updates);
  },
};

const included = new WeakSet();

/** Fills the elements that have no session around them. */
export function includeAll(root) {
  for (const element of dom(root).querySelectorAll(named('[data-include]'))) {
    if (included.has(element) || dom(element).closest(named('[data-view-model], [data-ignore]'))) continue;
    included.add(element);
    contentOf(element).then((content) => {
      if (!content) return;
      dom(element).append(...content.childNodes);
      bind(element);
    });
  }
}

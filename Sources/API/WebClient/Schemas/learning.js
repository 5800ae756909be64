// Asks for the schemas of a view model's Inputs and State, and for what its rule denies to the user.

import { pass } from '../Expressions/formats.js';
import { request } from '../Service/request.js';
import { Pause, backoff } from '../Service/timing.js';
import { goOn, known } from './known.js';

const states = new Map(); // by view model: the schema of its State

/** By view model: whether the user may do what a name, of an Input or a use, stands for. */
export const allowed = new Map();

const watched = new WeakSet();
let failures = 0; // since schemas have loaded

/** Learns the schemas of a session's view model once the session is live. */
export function learnInputs(session) {
  if (watched.has(session)) return;
  watched.add(session);
  const look = () => { if (session.connection === 'live' && !known.has(session.viewModel)) ask(session.viewModel).then(look); };
  session.addEventListener('connection', look);
  look();
}

async function ask(viewModel) {
  known.set(viewModel, null);
  await request('GET', `view-models/${encodeURIComponent(viewModel)}`, { priority: 'low' }).then(({ body }) => {
    states.set(viewModel, body.state?.schema);
    const { inputs, ...uses } = body.denied ?? {}; // only if there is a rule
    allowed.set(viewModel, new Proxy({ ...uses, ...inputs }, { get: (denied, name) => !denied[name] }));
    // The last alternative of an Input's schema has all members.
    known.set(viewModel, Object.fromEntries(body.inputs.map(({ name, schema }) => [name, { ...schema.anyOf?.at(-1).properties?.[name], $defs: schema.$defs }])));
    failures = 0;
  }, async ({ isPassing }) => {
    if (isPassing) await new Pause().wait(backoff(failures++));
    if (isPassing) known.delete(viewModel);
    else known.set(viewModel, {});
  });
  goOn();
  pass();
}

export const stateSchemaOf = ({ viewModel }) => states.get(viewModel);

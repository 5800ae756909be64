// The schemas of a view model's Inputs and State, as the service gives them.

import { pass } from '../Expressions/formats.js';
import { request } from '../Service/request.js';
import { Pause, backoff } from '../Service/timing.js';

const known = new Map(); // by view model: the schemas of its Inputs by name; null while they load
const states = new Map(); // by view model: the schema of its State
const waits = []; // what goes on after the next schemas have loaded
let failures = 0; // since schemas have loaded

export function learnInputs({ viewModel, connection }) {
  if (connection !== 'live' || known.has(viewModel)) return;
  known.set(viewModel, null);
  request('GET', `view-models/${encodeURIComponent(viewModel)}`, { priority: 'low' }).then(({ body }) => {
    states.set(viewModel, body.state?.schema);
    // The last alternative of an Input's schema has all members.
    known.set(viewModel, Object.fromEntries(body.inputs.map(({ name, schema }) => [name, { ...schema.anyOf?.at(-1).properties?.[name], $defs: schema.$defs }])));
    failures = 0;
  }, async ({ isPassing }) => {
    // A pass asks again, so it must not follow at once.
    if (isPassing) await new Pause().wait(backoff(failures++));
    if (isPassing) known.delete(viewModel);
    else known.set(viewModel, {});
  }).then(() => {
    for (const goOn of waits.splice(0)) goOn();
    pass();
  });
}

/** Resolves after schemas have loaded, or could not be; perhaps those of another view model. */
export const schemasLoaded = () => new Promise((resolve) => { waits.push(resolve); });

export const inputsOf = ({ viewModel }) => known.get(viewModel);

export const stateSchemaOf = ({ viewModel }) => states.get(viewModel);

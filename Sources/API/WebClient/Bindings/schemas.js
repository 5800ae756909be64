// The schemas of a view model's Inputs and State, as the service gives them.

import { request } from '../Core/request.js';
import { pass } from './formats.js';

const known = new Map(); // by view model: the schemas of its Inputs by name; null while they load
const states = new Map(); // by view model: the schema of its State

export function learnInputs({ viewModel, connection }) {
  if (connection !== 'live' || known.has(viewModel)) return;
  known.set(viewModel, null);
  request('GET', `view-models/${encodeURIComponent(viewModel)}`, { priority: 'low' }).then(({ body }) => {
    states.set(viewModel, body.state?.schema);
    // The last alternative of an Input's schema has all members.
    known.set(viewModel, Object.fromEntries(body.inputs.map(({ name, schema }) => [name, { ...schema.anyOf?.at(-1).properties?.[name], $defs: schema.$defs }])));
    pass();
  }, ({ isPassing }) => (isPassing ? known.delete(viewModel) : known.set(viewModel, {})));
}

export const inputsOf = ({ viewModel }) => known.get(viewModel);

export const stateSchemaOf = ({ viewModel }) => states.get(viewModel);

// The schemas of view models' Inputs, once the second module has asked for them.

/** By view model: the schemas of its Inputs by name; null while they load. */
export const known = new Map();
const waits = []; // what goes on after the next schemas have loaded

/** Resolves after schemas have loaded, or could not be; perhaps those of another view model. */
export const schemasLoaded = () => new Promise((resolve) => { waits.push(resolve); });

export function goOn() {
  for (const resolve of waits.splice(0)) resolve();
}

export const inputsOf = ({ viewModel }) => known.get(viewModel);

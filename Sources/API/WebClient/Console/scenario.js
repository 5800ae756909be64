// The Inputs sent in the console, and the States that followed, as lines of JSON for `uifusion run`.

const most = 1000;

export class Scenario {
  #start;
  #lines = [];
  #inputs = []; // that no State has followed yet

  /** `parameters` are the session's, if they are known. */
  constructor(viewModel, parameters) {
    this.#start = { viewModel, parameters };
  }

  /** Adds an Input; returns a function that removes it if the service refuses it. */
  input(input) {
    const line = { input };
    this.#inputs.push(line);
    return () => { this.#inputs = this.#inputs.filter((one) => one !== line); };
  }

  state(version, state) {
    this.#lines.push({ version, time: new Date().toISOString(), trace: this.#inputs.splice(0), state });
    // The scenario begins at the first line that is left.
    if (this.#lines.length > most) this.#lines.shift();
  }

  get text() {
    const [first, ...others] = this.#lines;
    const lines = [{ ...this.#start, ...first, trace: [] }, ...others];
    if (this.#inputs.length) lines.push({ version: lines.at(-1).version, trace: this.#inputs });
    return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  }
}

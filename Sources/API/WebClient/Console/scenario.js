// What was done here, as lines of JSON that `uifusion replay --input` plays: Inputs, and the States that followed.

const most = 1000;

export class Scenario {
  #start;
  #lines = [];
  #inputs = []; // that no State has followed yet

  /** `parameters` are those of the session, where they are known. */
  constructor(viewModel, parameters) {
    this.#start = { viewModel, parameters };
  }

  /** Answers a function that takes the Input out again, as the service has refused it. */
  input(input) {
    const line = { input };
    this.#inputs.push(line);
    return () => { this.#inputs = this.#inputs.filter((one) => one !== line); };
  }

  state(version, state) {
    this.#lines.push({ version, time: new Date().toISOString(), trace: this.#inputs.splice(0), state });
    // The first line left is where the scenario begins.
    if (this.#lines.length > most) this.#lines.shift();
  }

  get text() {
    const [first, ...others] = this.#lines;
    const lines = [{ ...this.#start, ...first, trace: [] }, ...others];
    if (this.#inputs.length) lines.push({ version: lines.at(-1).version, trace: this.#inputs });
    return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  }
}

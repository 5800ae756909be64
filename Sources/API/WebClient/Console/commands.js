// The curl line for each thing that is done here, and buttons that copy.

import { elementOf } from '../More/elements.js';
import { service } from './service.js';

const quoted = (value) => `'${JSON.stringify(value).replaceAll("'", "'\\''")}'`;

export const creation = (viewModel, parameters) => `curl --json ${quoted({ viewModel, parameters })} ${service}sessions`;
// The id may be what an address says.
const of = (id) => `${service}sessions/${encodeURIComponent(id)}`;
export const sending = (id, input) => `curl --json ${quoted(input)} ${of(id)}/inputs`;
export const forking = (id, version) => `curl --json ${quoted({ version })} ${of(id)}/forks`;
export const following = (id) => `curl -N ${of(id)}/events`;

/** A line to copy, with its button; `name` says what the line does. */
export const commandOf = (name, line) => elementOf('span', { className: 'command' },
  elementOf('code', { dir: 'ltr' }, line), ' ', copyButton('Copy', `Copy: ${name}`, () => line));

export function copyButton(words, name, textOf) {
  const button = elementOf('button', { type: 'button', className: 'small', ariaLabel: name }, words);
  button.onclick = async () => {
    await copy(textOf());
    Object.assign(button, { textContent: 'Copied', ariaLabel: 'Copied' });
    setTimeout(() => Object.assign(button, { textContent: words, ariaLabel: name }), 1500);
  };
  return button;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // not a secure context, or not allowed: the older way, by way of the selection
    const focused = document.activeElement;
    const place = elementOf('textarea', { value: text });
    document.body.append(place);
    place.select();
    document.execCommand('copy');
    place.remove();
    focused?.focus();
  }
}

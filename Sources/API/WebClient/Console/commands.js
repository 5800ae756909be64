// The curl command for each action of the console, and buttons that copy.

import { elementOf } from '../Page/elements.js';
import { service } from './service.js';

const quoted = (value) => `'${JSON.stringify(value).replaceAll("'", "'\\''")}'`;

export const creation = (viewModel, parameters) => `curl --json ${quoted({ viewModel, parameters })} ${service}sessions`;
// The id may come from the page's address, so it is escaped.
const of = (id) => `${service}sessions/${encodeURIComponent(id)}`;
export const sending = (id, input) => `curl --json ${quoted(input)} ${of(id)}/inputs`;
export const forking = (id, version) => `curl --json ${quoted({ version })} ${of(id)}/forks`;
export const following = (id) => `curl -N ${of(id)}/events`;

/** Returns a command with a button that copies it; `name` says what the command does. */
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
  } catch { // not a secure context, or not allowed: copies the selection instead
    const focused = document.activeElement;
    const place = elementOf('textarea', { value: text });
    document.body.append(place);
    place.select();
    document.execCommand('copy');
    place.remove();
    focused?.focus();
  }
}

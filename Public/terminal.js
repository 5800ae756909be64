// The way in from a terminal: curl lines, shown with a Copy button each.

const json = "-H 'Content-Type: application/json'";
const url = (path) => location.origin + path;

// JSON inside single quotes of the shell: a quote in it is closed, escaped and opened again.
const quoted = (value) => `'${JSON.stringify(value).replaceAll("'", `'\\''`)}'`;

export const curl = {
  describe: (viewModel) => `curl ${url(`/view-models/${viewModel}`)} -H 'Accept: text/markdown'`,
  create: (viewModel) => `curl -X POST ${url('/sessions')} ${json} -d ${quoted({ viewModel })}`,
  send: (id, input) => `curl -X POST ${url(`/sessions/${id}/inputs`)} ${json} -d ${quoted(input)}`,
  follow: (id) => `curl -N ${url(`/sessions/${id}/events`)}`,
  read: (id) => `curl ${url(`/sessions/${id}`)}`,
  delete: (id) => `curl -X DELETE ${url(`/sessions/${id}`)}`,
};

/** Fills a list with `[label, line]` pairs. */
export function showCommands(list, commands) {
  list.replaceChildren(...commands.map(([label, line]) => {
    const item = document.createElement('li');
    const title = document.createElement('span');
    const code = document.createElement('code');
    const button = document.createElement('button');
    title.textContent = label;
    code.textContent = line;
    button.type = 'button';
    button.className = 'small';
    button.textContent = 'Copy';
    button.ariaDescription = label;
    button.ariaLive = 'polite';
    button.addEventListener('click', () => copy(code, button));
    item.append(title, button, code);
    return item;
  }));
}

async function copy(code, button) {
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch { // not a secure context, or not allowed: the older way, by way of the selection
    getSelection().selectAllChildren(code);
    if (!document.execCommand('copy')) return;
  }
  button.textContent = 'Copied';
  setTimeout(() => { button.textContent = 'Copy'; }, 1500);
}

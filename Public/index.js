// The front page: the view models that the service hosts, and the Copy buttons. The counter on it needs no script.

const list = document.querySelector('#view-models');
const message = document.querySelector('#message');
const template = document.querySelector('#entry');

async function showViewModels() {
  try {
    const { viewModels } = await (await fetch('view-models')).json();
    list.replaceChildren(...viewModels.map(entry));
    message.textContent = viewModels.length ? '' : 'This service hosts no view models yet.';
  } catch {
    message.textContent = 'The service cannot be reached.';
    addEventListener('online', showViewModels, { once: true });
  }
}

function entry({ name, summary, href }) {
  const item = template.content.cloneNode(true);
  const [link, words] = item.querySelectorAll('a, span');
  link.textContent = name;
  link.href = href;
  words.textContent = summary;
  linkToPage(link, `${name}.html`);
  return item;
}

/** A view model without a page of its own keeps the link to its description. */
async function linkToPage(link, page) {
  const answer = await fetch(page, { method: 'HEAD' }).catch(() => null);
  if (answer?.ok) link.href = page;
}

async function copy(button) {
  const code = button.parentElement.querySelector('code');
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch { // not a secure context, or not allowed: the older way, by way of the selection
    getSelection().selectAllChildren(code);
    if (!document.execCommand('copy')) return;
  }
  button.textContent = 'Copied';
  setTimeout(() => { button.textContent = 'Copy'; }, 1500);
}

for (const button of document.querySelectorAll('[data-copy]')) button.addEventListener('click', () => copy(button));
showViewModels();

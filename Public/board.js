// Shares of the board: links with fewer rights than the board's own, each with its role in the address.

const { body, documentElement: root } = document;
const address = new URL(location.href).searchParams;
const role = address.get('role');

if (role) {
  root.dataset.role = role;
  // Before the client runs, which would create a session for the seat.
  const seat = document.querySelector('.seat');
  const next = seat.nextSibling;
  seat.remove();
  new MutationObserver(async (_, observer) => {
    if (body.dataset.session === address.get('session')) return;
    // The link is not valid any more, and the client has made a new board.
    observer.disconnect();
    delete root.dataset.role;
    const url = new URL(location.href);
    url.searchParams.delete('role');
    history.replaceState(history.state, '', url);
    next.before(seat);
    const { bind } = await import('./uifusion.js');
    bind(seat);
  }).observe(body, { attributeFilter: ['data-session'] });
}

const form = document.querySelector('#share');
const link = document.querySelector('[aria-label="Link"]');
form.hidden = false;

async function share(role) {
  const path = `sessions/${body.dataset.session}/shares`;
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ role }) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail);
  return `?session=${answer.id}&role=${role}`;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    const href = await share(new FormData(form).get('role'));
    const anchor = Object.assign(document.createElement('a'), { href, target: '_blank' });
    anchor.textContent = anchor.href;
    link.replaceChildren(anchor);
  } catch ({ message }) {
    link.textContent = message;
  }
});

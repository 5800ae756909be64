// Links to the board that are good for less than its own: shares, each with its role in the address.

const role = new URLSearchParams(location.search).get('role');
if (role) document.documentElement.dataset.role = role;

const form = document.querySelector('#share');
const link = document.querySelector('[aria-label="Link"]');
form.hidden = false;

async function share(role) {
  const path = `sessions/${document.body.dataset.session}/shares`;
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

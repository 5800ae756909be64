// The front page's Copy buttons. The counter on it needs no script.

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

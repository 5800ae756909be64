// The front page's Copy buttons. The page's counter needs no script.

async function copy(button) {
  const code = button.parentElement.querySelector('code');
  if (button.textContent === 'Copied') return;
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch { // not a secure context, or not allowed: copies the selection instead
    getSelection().selectAllChildren(code);
    if (!document.execCommand('copy')) return;
  }
  const name = button.ariaLabel;
  button.textContent = button.ariaLabel = 'Copied';
  setTimeout(() => Object.assign(button, { textContent: 'Copy', ariaLabel: name }), 1500);
}

for (const button of document.querySelectorAll('[data-copy]')) button.addEventListener('click', () => copy(button));

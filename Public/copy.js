// Buttons that copy the terminal lines of a page, beside each. Without a script there are none.

async function copy(button, code) {
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

for (const code of document.querySelectorAll('.commands code')) {
  const button = document.createElement('button');
  const ariaLabel = `Copy: ${code.parentElement.firstChild.data.trim()}`;
  Object.assign(button, { type: 'button', className: 'small', ariaLabel, textContent: 'Copy', onclick: () => copy(button, code) });
  code.before(button);
}

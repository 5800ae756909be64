// The front page: the view models that the service hosts, each with its page or a session to drive by curl.

import { request } from './http.js';
import { curl, showCommands } from './terminal.js';

const pages = { counter: 'counter.html', 'counter-sync': 'counter-sync.html' };

// One Input of each example, for its curl line; of others, the description tells the Inputs.
const inputs = {
  counter: 'increase',
  'counter-sync': 'increase',
  'counter-reducer': 'increment',
  'counter-reactor': 'incrementSlowly',
  'fan-out': 'buttonTap',
  calculator: { digit: 7 },
  search: { queryChanged: 'abc' },
  countdown: 'start',
  'auto-refresh': 'start',
  'multi-timer': 'startAll',
  todos: { add: { title: 'milk' } },
  login: { emailChanged: 'ada@example.com' },
  chat: { connect: { name: 'Ada' } },
  shop: { search: 'ch' },
};

const heading = document.querySelector('#examples');
const list = document.querySelector('#view-models');
const message = document.querySelector('#message');
const retry = document.querySelector('#retry');
const template = document.querySelector('template');

async function load() {
  message.textContent = 'Asking the service…';
  try {
    const { viewModels } = await request('GET', '/view-models');
    list.replaceChildren(...viewModels.map(entry));
    message.textContent = viewModels.length ? '' : 'This service hosts no view models yet.';
    if (document.activeElement === retry) heading.focus(); // before the button goes
    retry.hidden = true;
  } catch (problem) {
    message.textContent = problem.message;
    retry.hidden = false;
  }
}

function entry({ name, summary }) {
  const item = template.content.cloneNode(true);
  const part = (selector) => item.querySelector(selector);
  part('h3').textContent = name;
  part('.summary').textContent = summary;
  const link = part('a');
  if (pages[name]) {
    link.href = pages[name];
    link.ariaLabel = `Open ${name}`;
  } else {
    link.remove();
  }
  const [button, status, commands] = ['button', '[role="status"]', '.commands'].map(part);
  button.setAttribute('aria-label', `Try ${name} with curl`);
  button.addEventListener('click', () => tryWithCurl(name, link, status, commands));
  return item;
}

async function tryWithCurl(name, link, status, commands) {
  status.textContent = 'Making a session…';
  try {
    const { id } = await request('POST', '/sessions', { body: { viewModel: name } });
    status.textContent = 'A session is ready. The first line is how it was made; the others drive it.';
    if (pages[name]) link.href = `${pages[name]}#session=${id}`; // Open shows the very session that the lines drive
    showCommands(commands, [
      ['Make a session', curl.create(name)],
      ['Read what it is and takes', curl.describe(name)],
      ...(name in inputs ? [['Send an Input', curl.send(id, inputs[name])]] : []),
      ['Follow its stream', curl.follow(id)],
      ['Delete it', curl.delete(id)],
    ]);
  } catch (problem) {
    status.textContent = problem.message;
  }
}

retry.addEventListener('click', load);
load();

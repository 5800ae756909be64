// What surrounds a view model on every session's page: the connection, problems, the end, the newest
// snapshot, and the way in from a terminal.

import { curl, showCommands } from './terminal.js';

const statusTexts = {
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  offline: 'Offline, trying again…',
  ended: 'Session ended',
};

/** Fills the page's `#connection`, `#notices` and `#session`; `inputs` are the Inputs to offer as curl lines. */
export function showSession(session, inputs) {
  const connection = document.querySelector('#connection');
  const notices = document.querySelector('#notices');
  const panel = document.querySelector('#session');

  notices.innerHTML = `
    <p class="notice" role="alert" data-part="problem"></p>
    <div class="notice" data-part="ended" hidden>
      <p data-part="reason"></p>
      <button type="button" data-part="restart">Start a new session</button>
    </div>`;
  panel.innerHTML = `
    <h2>Snapshot, version <span data-part="version">–</span></h2>
    <pre class="wire" data-part="snapshot"></pre>
    <h2>Drive this session from a terminal</h2>
    <p>Whoever holds its id may use it: a script, another browser, <a target="_blank" rel="noopener" data-part="second">a second tab</a>.</p>
    <ol class="commands" data-part="commands"></ol>`;
  const part = (name) => document.querySelector(`[data-part="${name}"]`);
  let shownId = null;

  function showState() {
    const { id, version, state } = session;
    part('version').textContent = version;
    part('snapshot').textContent = JSON.stringify({ version, state }, null, 2);
    if (id === shownId) return;
    shownId = id;
    part('second').href = `${location.pathname}#session=${id}`;
    showCommands(part('commands'), [
      ...inputs.map((input) => [`Send ${JSON.stringify(input)}`, curl.send(id, input)]),
      ['Follow its stream', curl.follow(id)],
      ['Read it', curl.read(id)],
      ['Delete it', curl.delete(id)],
    ]);
  }

  function showStatus() {
    connection.textContent = statusTexts[session.status];
    connection.dataset.status = session.status;
    part('ended').hidden = session.status !== 'ended';
    part('reason').textContent = session.endReason;
  }

  session.addEventListener('state', showState);
  session.addEventListener('status', showStatus);
  session.addEventListener('problem', ({ detail }) => { part('problem').textContent = detail; });
  part('restart').addEventListener('click', () => {
    session.restart();
    document.querySelector('h1').focus(); // the button is gone now; the keyboard goes on from the top
  });
}

// The console of a view model, made from the spec in the page.

import { bind, session as sessionOf } from '../uifusion.js';
import { fieldOf } from './fields.js';
import { form, parametersForm } from './forms.js';
import { masked } from './schemas.js';
import { makeSession } from './service.js';
import { KnownSessions, addressOf, addressed } from './sessions.js';
import { showSession } from './showing.js';

const spec = JSON.parse(document.getElementById('view-model').textContent);
const known = new KnownSessions(spec.name);
const say = (words) => { document.getElementById('answer').textContent = words; };

document.getElementById('new-session').append(parametersForm(spec.parameters, 'New session', make));
document.getElementById('other-session').append(form(fieldOf({ type: 'string' }, 'Id of another session', {}), 'Open', (id) => {
  location.hash = addressOf(id.trim());
}));
addEventListener('hashchange', () => location.reload());
const chosen = addressed() ?? known.all[0]?.id;
if (chosen) open(chosen);
else if (spec.parameters.required?.length) {
  document.getElementById('ways').open = true;
  say('A session of this view model needs parameters: begin one.');
} else make().catch(({ message }) => say(message));

async function make(parameters) {
  const { id } = await makeSession(spec.name, parameters);
  known.remember({ id, parameters: parameters && masked(parameters, spec.parameters, spec.parameters) });
  // The first session opens in place, any other by its address.
  if (addressed()) location.hash = addressOf(id);
  else open(id);
}

/** Opens a session by way of the page's address, from which the client takes it. */
function open(id) {
  history.replaceState(null, '', addressOf(id));
  const session = sessionOf(spec.name);
  const main = document.querySelector('main');
  main.dataset.viewModel = spec.name;
  bind(main);
  say('');
  showSession(session, spec, known, id);
}

// `/uifusion-login.js`: what a page needs once its login has ended: its user signs in again, and all goes on; who has logged
// out leaves nothing. It imports nothing, but is given `tools` of the rest of the client.

const leftPlace = 'uifusion.left';
const sentences = { 401: 'You are signed out. Sign in to go on.', 412: 'Somebody else is signed in now.' };
const here = () => location.pathname + location.search + location.hash;
const keysOf = (storage) => Object.keys(storage).filter((key) => key.startsWith('uifusion.'));

const held = new Set(); // functions that let requests go on; true: as they were answered
let tools;
let known; // the sessions of the page
let shown = 0; // the status that the alert is about
let alert;

/** Waits until the user of this page is signed in, and sends a request again; or answers what he will not wait for. */
export async function renew(its, response, again) {
  if (!tools) begin(its);
  const { status } = response;
  const { type } = await response.clone().json().catch(() => null) ?? {};
  if (status === 412 && isNew()) {
    tools.tabStorage.removeItem(tools.senderPlace);
    return again();
  }
  if (type?.endsWith('/logged-out')) forget();
  show(status);
  const isGivenUp = await new Promise((resolve) => {
    held.add(resolve);
    setTimeout(resolve, 5000);
  });
  if (isGivenUp) return response;
  const answer = await again().catch((refusal) => {
    // Whoever asks next finds out; of a stream that is opened anew, too, which is no reason to announce it again.
    if (status === 412) show(0);
    throw refusal;
  });
  if (![401, 412].includes(answer.status)) show(0);
  return answer;
}

function begin(its) {
  tools = its;
  known = () => [...tools.sessions.values()];
  addEventListener('focus', () => goOn()); // from another window, where somebody may have signed in
}

/** Whether nobody has seen or done anything on this page yet. */
const isNew = () => !known().some(({ version }) => version) && !keysOf(tools.tabStorage).some((key) => key.startsWith('uifusion.queue.'));

function goOn(isGivenUp) {
  for (const resolve of held) resolve(isGivenUp);
  held.clear();
}

function show(status) {
  if (status === shown) return;
  shown = status;
  alert?.remove();
  if (!status) return goOn();
  const [label, act] = status === 412 ? ['Start anew', startAnew] : signIn();
  alert = tools.alertOf(sentences[status], [], label, act);
  tools.placeOfNotices().append(alert);
  for (const session of known()) session.addEventListener('connection', look);
}

/** Another tab may have gone on. */
const look = ({ target }) => shown === 401 && target.connection === 'live' && show(0);

/** The button: as `<html data-login="/login?return=">` says, or `data-login-window`, or neither. */
function signIn() {
  const { login, loginWindow = login } = tools.own(document.documentElement);
  if (!loginWindow) return ['Try again', () => goOn()];
  return ['Sign in', () => {
    const address = loginWindow + (loginWindow.endsWith('=') ? encodeURIComponent(here()) : '');
    const opened = !login && open(address, 'uifusion-login', 'popup,width=480,height=640');
    if (!opened) return leaveFor(address);
    const timer = setInterval(() => {
      if (shown) goOn();
      else opened.close();
      if (opened.closed) clearInterval(timer);
    }, 1000);
  }];
}

/** Gives up what waits, and goes on with whoever is signed in. */
function startAnew() {
  for (const session of known()) session.dispatchEvent(new Event('flush'));
  const timer = setInterval(() => {
    if (known().some(({ waiting }) => waiting.length)) return goOn(true);
    clearInterval(timer);
    tools.tabStorage.removeItem(tools.senderPlace);
    location.reload();
  }, 50);
}

/** Takes all out of the browser, and the page, that is there of who has logged out. */
function forget() {
  const clear = () => {
    globalThis.caches?.delete('uifusion');
    for (const storage of [tools.browserStorage, tools.tabStorage]) for (const key of keysOf(storage)) storage.removeItem(key);
  };
  clear();
  if (!known().some(({ id }) => id)) return;
  addEventListener('pagehide', clear); // what waits is not to be stored anew
  leave(() => location.reload());
}

/** Without asking, as the notices do where something waits. */
function leave(act) {
  addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true);
  act();
}

// MARK: On the same page

function leaveFor(address) {
  const values = {};
  for (const [key, field] of keyedFields()) {
    const its = tools.fieldOf(field);
    its?.flush();
    const isTyped = its ? its.isUnsent() : field.value !== field.defaultValue || field.checked !== field.defaultChecked;
    if (isTyped && !/password|file|hidden/.test(field.type)) values[key] = field[memberOf(field)];
  }
  const sender = tools.tabStorage.getItem(tools.senderPlace);
  tools.keep(tools.tabStorage, leftPlace, JSON.stringify({ address: here(), scroll: scrollY, sender, values }));
  leave(() => location.assign(address));
}

/** Puts back what nobody but the page had when its user left for the login, once it has a State; for the same user alone. */
export function comeBack(its, session) {
  if (!tools) begin(its);
  const { tabStorage, senderPlace } = tools;
  const put = () => {
    const left = session.version && tools.parsed(tabStorage.getItem(leftPlace));
    if (!left || left.address !== here() || left.sender !== tabStorage.getItem(senderPlace)) return;
    tabStorage.removeItem(leftPlace);
    for (const [key, field] of keyedFields()) {
      if (!(key in left.values)) continue;
      field[memberOf(field)] = left.values[key];
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    scrollTo(0, left.scroll);
  };
  for (const type of ['state', 'connection']) session.addEventListener(type, put);
  put();
}

const memberOf = ({ type }) => (/checkbox|radio/.test(type) ? 'checked' : 'value');

/** The fields, each by its name and its place among those of that name. */
function keyedFields() {
  const counts = {};
  return [...document.querySelectorAll('input, select, textarea')].map((field) => {
    const name = field.id || field.name || tools.own(field).input;
    counts[name] = (counts[name] ?? 0) + 1;
    return [`${name} ${counts[name]}`, field];
  });
}

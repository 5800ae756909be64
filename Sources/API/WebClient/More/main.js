// `/uifusion-more.js`: what only some pages need, or no page needs at once. It is also a service worker.

import { dateText, heldDate } from '../Expressions/dates.js';
import { formats, pass } from '../Expressions/formats.js';
import { sending } from '../Expressions/inputs.js';
import { localized } from '../Expressions/localized.js';
import { builtIns, readings } from '../Expressions/scopes.js';
import { entered } from '../Fields/entries.js';
import { clearRefusal, complain, showRefusal } from '../Fields/messages.js';
import { bringBack, keep, take } from '../Lists/edited.js';
import { animated, gliding, takeOut } from '../Lists/motion.js';
import { sorted } from '../Lists/sorting.js';
import { ways } from '../Lists/ways.js';
import { renew } from '../Notices/login.js';
import { showNotices } from '../Notices/notices.js';
import { wording } from '../Page/bound.js';
import { hide, leave, mendFocus } from '../Page/focus.js';
import { focusing } from '../Page/focusing.js';
import { listenToKeys } from '../Page/keys.js';
import { checkFormat, checkInput, checkNames } from '../Page/names.js';
import '../Page/popovers.js';
import { wordsOfControl } from '../Page/words.js';
import { conversions } from '../Schemas/conversions.js';
import { fitting } from '../Schemas/fitting.js';
import { allowed, learnInputs } from '../Schemas/learning.js';
import { more, takeOver } from '../Service/more.js';
import { serveOffline, workOffline } from '../Service/offline.js';
import { InputQueue } from '../Session/queue.js';
import { settled } from '../Session/settling.js';
import { shareStream } from '../Tabs/sharing.js';
import '../main.js'; // so that the symbols that both modules need are in the first one
import { forgetAddressed } from './address.js';
import { confirmed } from './confirm.js';
import { draggedNow } from './dragged.js';
import { includeAll } from './include.js';
import { moreReadings } from './readings.js';
import { registerMore } from './registry.js';

if (globalThis.document) {
  registerMore();
  // Formats that a script has added come first.
  Object.assign(formats, { ...localized, ...formats });
  Object.assign(ways, { animated, bringBack, gliding, keep, sorted, take, takeOut });
  Object.assign(focusing, { hide, leave, mend: mendFocus });
  Object.assign(sending, { entered, fitting });
  builtIns.$dragged = () => draggedNow()?.value;
  builtIns.$allowed = ({ session }) => allowed.get(session.viewModel);
  conversions.date = { held: heldDate, sent: dateText };
  readings.push(...moreReadings);
  wording.ofControl = wordsOfControl;
  Object.assign(more, { confirmed, renew, settled });
  pass();
  let sharing; // until then, the tab may have a copy of another one's queue
  const onceShared = (act) => (sharing ? sharing.then(act) : act());
  takeOver({
    act: onceShared,
    shareStream: (page) => { sharing = shareStream(page).finally(() => { sharing = undefined; }); },
    takeQueue: (take) => onceShared(() => take(InputQueue)),
    checkFormat, checkInput, checkNames, clearRefusal, complain, forgetAddressed, includeAll, learnInputs, showNotices, showRefusal,
  });
  listenToKeys();
  // Fails in a browser that may store nothing.
  setTimeout(() => workOffline().catch(() => {}), 1000);
} else {
  serveOffline();
}

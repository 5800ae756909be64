// `/uifusion-more.js`: what only some pages need, or no page needs at once. It is also a service worker.

import { dateText, heldDate } from '../Expressions/dates.js';
import { formats, pass } from '../Expressions/formats.js';
import { localized } from '../Expressions/localized.js';
import { clearRefusal, complain, showRefusal } from '../Fields/messages.js';
import { animated, gliding, takeOut } from '../Lists/motion.js';
import { sorted } from '../Lists/sorting.js';
import { renew } from '../Notices/login.js';
import { showNotices } from '../Notices/notices.js';
import { listenToKeys } from '../Page/keys.js';
import { checkFormat, checkInput, checkMember, checkNames } from '../Page/names.js';
import '../Page/popovers.js';
import { wordsOfControl } from '../Page/words.js';
import { isDecimal } from '../Schemas/members.js';
import { more } from '../Service/more.js';
import { serveOffline, workOffline } from '../Service/offline.js';
import { settled } from '../Session/settling.js';
import '../main.js'; // so that the symbols that both modules need are in the first one
import { followAddress, forgetAddressed } from './address.js';
import { confirmed } from './confirm.js';
import { draggedNow } from './dragged.js';
import { includeAll } from './include.js';
import { localValues, setLocal } from './local.js';
import { registerMore } from './registry.js';
import { within } from './scope.js';

if (globalThis.document) {
  // Formats that a script has added come first.
  Object.assign(formats, { ...localized, ...formats });
  registerMore();
  Object.assign(more, {
    animated, checkFormat, checkInput, checkMember, checkNames, clearRefusal, complain, confirmed, dateText, draggedValue: () => draggedNow()?.value, followAddress, forgetAddressed,
    gliding, heldDate, includeAll, isDecimal, localValues, renew, setLocal, settled, showNotices, showRefusal, sorted, takeOut, within, wordsOfControl,
  });
  pass();
  listenToKeys();
  // Fails in a browser that may store nothing.
  setTimeout(() => workOffline().catch(() => {}), 1000);
} else {
  serveOffline();
}

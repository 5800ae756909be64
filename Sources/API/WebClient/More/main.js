// `/uifusion-more.js`: what only some pages need, or no page needs at once. It is also a service worker.

import '../main.js'; // so that the symbols that both modules need are in the first one
import { formats, pass } from '../Bindings/formats.js';
import { more } from '../Core/more.js';
import { followAddress, forgetAddressed } from './address.js';
import { childStep, within } from './children.js';
import { dateText, heldDate } from './dates.js';
import { confirmed, dialogStep } from './dialogs.js';
import { draggedValue, dragStep, dropStep } from './dragging.js';
import { clearRefusal, complain, errorStep, showRefusal } from './errors.js';
import { includeAll, includeStep } from './including.js';
import { listenToKeys } from './keys.js';
import { localStep, localValues, setLocal, setStep } from './locals.js';
import { localized } from './localized.js';
import { renew } from './login.js';
import { animated, gliding, takeOut } from './motion.js';
import { checkFormat, checkInput, checkMember, checkNames } from './names.js';
import { showNotices } from './notices.js';
import { serveOffline, workOffline } from './offline.js';
import { pulseStep } from './pulses.js';
import { isDecimal } from './schemas.js';
import { settled } from './settling.js';
import { sorted } from './sorting.js';
import { focusStep } from './typing.js';
import { wordsOfControl } from './words.js';

if (globalThis.document) {
  // Formats that a script has added come first.
  Object.assign(formats, { ...localized, ...formats });
  Object.assign(more, {
    first: [childStep, localStep],
    soon: [pulseStep, errorStep, setStep, dragStep, dropStep, focusStep, includeStep],
    late: [dialogStep],
    animated, checkFormat, checkInput, checkMember, checkNames, clearRefusal, complain, confirmed, dateText, draggedValue, followAddress, forgetAddressed,
    gliding, heldDate, includeAll, isDecimal, localValues, renew, setLocal, settled, showNotices, showRefusal, sorted, takeOut, within, wordsOfControl,
  });
  pass();
  listenToKeys();
  // Fails in a browser that may store nothing.
  setTimeout(() => workOffline().catch(() => {}), 1000);
} else {
  serveOffline();
}

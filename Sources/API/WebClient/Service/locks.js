// The browser's locks.

import { attempt } from './attempts.js';

/** Without them (the origin is not secure, or may store nothing, or one has failed), each tab has its own stream. */
export let locks = attempt(() => navigator.locks);

/** Goes on without locks. */
export const dropLocks = () => { locks = undefined; };

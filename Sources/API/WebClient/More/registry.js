// The bindings of the second module, in the order in which an element gets them.

import { register } from '../Bindings/plans.js';
import { address } from './address.js';
import { drag } from './drag.js';
import { drop } from './drop.js';
import { error } from './error.js';
import { focus } from './focus.js';
import { include } from './include.js';
import { local } from './local.js';
import { open } from './open.js';
import { pulse } from './pulse.js';
import { scope } from './scope.js';
import { set } from './set.js';

export const registerMore = () => register([scope, local, pulse, error, set, drag, drop, focus, include, open, address]);

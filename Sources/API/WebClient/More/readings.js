// What is made of the values that expressions read.

import { checkMember } from '../Page/names.js';
import { isDecimal } from '../Schemas/members.js';

export const moreReadings = [
  (value, { control, root, path, up, base }) => {
    if (value === undefined) checkMember(control, root, path, up && base === undefined);
    return value;
  },
  // A Decimal of 0 is as `false`, unlike the text "0".
  (value, { scope, ...use }) => (value === '0' && isDecimal(use, scope) ? 0 : value),
];

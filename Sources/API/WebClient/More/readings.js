// What is made of the values that expressions read.

import { isSame } from '../Expressions/truth.js';
import { reportMistake } from '../Page/mistakes.js';
import { checkMember } from '../Page/names.js';
import { isDecimal } from '../Schemas/members.js';

export const moreReadings = [
  (value, { control, root, is }) => {
    if (control && value && isSame(value, root?.[is])) reportMistake(control, `is ${is}`, `this is a case; write (${is}) for the member`, 'warn');
    return value;
  },
  (value, { control, root, path, up, base }) => {
    if (value === undefined) checkMember(control, root, path, up && base === undefined);
    return value;
  },
  // A Decimal of 0 is as `false`, unlike the text "0".
  (value, { scope, ...use }) => (value === '0' && isDecimal(use, scope) ? 0 : value),
];

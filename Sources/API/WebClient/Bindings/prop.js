// `data-prop-scroll-top="top"`: shows a value as a property.

import { dom } from '../Page/dom.js';
import { camelCase, showing } from './showing.js';

export const prop = showing('prop-', (element, value, name) => { dom(element)[name] = value; }, {
  targetOf: (_, name) => camelCase(name),
  isCode: (name) => /^(on|(inner|outer)HTML$|srcdoc|href|src|action|formAction|data$|__)/i.test(camelCase(name)),
});

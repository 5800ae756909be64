// `data-error="titleError"`: a field's message from State.

import { expression } from '../Expressions/expressions.js';
import { textOf } from '../Expressions/truth.js';
import { watching } from '../Expressions/watching.js';
import { say } from '../Fields/messages.js';

export const error = {
  name: 'error',
  plan: (element, plan) => plan.read(element, 'data-error', expression),
  apply: (element, scope, error) => watching(error, element, scope, (field, value) => say(field, { state: textOf(value) })),
};

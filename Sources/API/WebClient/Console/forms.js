// A form for each Input, and one for any Input as JSON.

import { elementOf } from '../Page/elements.js';
import { caseField, fieldOf, jsonField } from './fields.js';
import { casesOf, resolved } from './schemas.js';

/** Returns the forms; each calls `send(input)`. */
export function inputForms({ inputs, denied }, send) {
  const any = elementOf('details', { open: !inputs.length },
    elementOf('summary', {}, 'Any Input, as JSON'),
    form(jsonField('Input', inputs[0]?.examples[0]), 'Send', send, '', 'any Input'));
  return [...inputs.filter((input) => !isOfService(input)).map((input) => inputForm(input, send, denied?.inputs[input.name])), any];
}

/** Returns an Input's name and the schema of its values. */
const caseOf = ({ name, schema }) => casesOf(schema.anyOf ? schema : { anyOf: [schema] })?.[0] ?? [name, null];

/** Whether only the service may send an Input. */
const isOfService = (input) => Object.values(caseOf(input)[1]?.properties ?? {})
  .some((value) => resolved(value, input.schema).readOnly);

function inputForm(input, send, denial) {
  const { name, sentence, schema, examples = [] } = input;
  const its = caseOf(input);
  const whole = examples.find((example) => isWhole(example[name], its[1])) ?? examples[0];
  return form(caseField(its, schema, whole), name, send, denial ? `You may not send this: ${denial}` : sentence);
}

/** Whether an example has the values with their labels. */
const isWhole = (values, schema) => Object.keys(schema?.properties ?? {}).some((label) => label in Object(values));

/** Returns a form for parameters; only a button if there are none. */
export function parametersForm(parameters, name, send) {
  const hasSome = Object.keys(parameters.properties ?? {}).length > 0;
  return form(hasSome ? fieldOf(parameters, 'parameters', parameters) : { element: '', read: () => undefined }, name, send);
}

export function form({ element, read }, name, send, sentence, label = name) {
  const error = elementOf('output', { className: 'error' });
  const words = sentence ? elementOf('span', { className: 'hint', dir: 'auto' }, sentence) : '';
  const submit = async (event) => {
    event.preventDefault();
    error.textContent = '';
    try {
      await send(read());
    } catch ({ message }) {
      error.textContent = message;
    }
  };
  return elementOf('form', { ariaLabel: label, onsubmit: submit }, element, elementOf('div', { className: 'ends' }, elementOf('button', {}, name), words), error);
}

// Stand-ins for fields, with what the client reads of them, and random values.

/** Returns a field; `attributes` are those that the page's author has written. */
export function field(type, { value = '', checked = false, attributes = {}, options, elements, ...others } = {}) {
  const mistakes = { customError: false, badInput: false };
  const its = {
    type, value, checked, localName: type.startsWith('select') ? 'select' : 'input', dataset: {}, validity: mistakes, message: '',
    step: attributes.step ?? '', ...others,
    hasAttribute: (name) => name in attributes,
    matches: (selector) => (selector === ':disabled' ? Boolean(attributes.disabled) : selector.split(', ').includes(its.localName)),
    addEventListener() {},
    setCustomValidity(message) {
      its.message = message;
      mistakes.customError = message !== '';
    },
  };
  if (options) {
    const chosen = new Set();
    its.options = options.map((text) => ({
      value: text,
      matches: () => false,
      get selected() { return chosen.has(this); },
      set selected(isSelected) {
        if (type === 'select-one') chosen.clear();
        if (isSelected) chosen.add(this);
        else chosen.delete(this);
      },
    }));
    Object.defineProperty(its, 'value', {
      get: () => its.options.find(({ selected }) => selected)?.value ?? '',
      set: (text) => { for (const option of its.options) option.selected = option.value === text; },
    });
  }
  return its;
}

/** Returns a form's submit button, in a form with these fields by name. */
export function formOf(fields) {
  const form = { elements: [] };
  for (const [name, those] of Object.entries(fields)) {
    for (const one of [those].flat()) form.elements.push(Object.assign(one, { name, form }));
  }
  return { form, type: 'submit', localName: 'button', matches: () => false, hasAttribute: () => false };
}

/** Returns numbers from 0 to 1, the same ones for the same seed (mulberry32). */
export function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const optional = (schema) => ({ anyOf: [schema, { type: 'null' }] });

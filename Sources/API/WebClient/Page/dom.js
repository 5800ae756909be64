// The DOM's own properties. A form has its fields as properties, and they come before its own: `form.id` is the field `id`.

const { HTMLFormElement: Form } = globalThis;
const own = {
  get(form, name) {
    const value = Reflect.get(Object.getPrototypeOf(form), name, form);
    return typeof value === 'function' ? value.bind(form) : value;
  },
  set: (form, name, value) => Reflect.set(Object.getPrototypeOf(form), name, value, form),
};

/** Returns a node, or a view of a form without its fields as properties; what is passed on is the node itself. */
export const dom = (node) => (Form && node instanceof Form ? new Proxy(node, own) : node);

// What is bound to an element: its control, which sends, and its field, which shows State and what the user enters.

export const controls = new WeakMap();
export const fields = new WeakMap();

export const controlOf = (element) => controls.get(element);
export const fieldOf = (element) => fields.get(element);

/** The words for what a control sends; none until the second module has come. */
export const wording = { ofControl: () => undefined };

// Elements that are made here: only text goes into them, never HTML.

export function elementOf(name, properties, ...content) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...content);
  return element;
}

// Makes elements; their content is text or elements, never HTML.

export function elementOf(name, properties, ...content) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...content);
  return element;
}

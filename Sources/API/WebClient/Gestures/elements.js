// What gestures ask of elements and do to them. Nothing here comes from the client: the module works beside any build of it.

const { prefix } = document.documentElement.dataset;

/** An attribute of ours, as the page writes it. */
export const named = (name) => `data-${prefix ? `${prefix}-` : ''}${name}`;

/** Those that wait for an event. */
export const waitingFor = (name) => `[${named('on')}~=${name}]`;

export const fire = (element, name, detail) => element.dispatchEvent(new CustomEvent(name, { detail }));

export const shift = (element, [right, down]) => { element.style.translate = right || down ? `${right}px ${down}px` : ''; };

/** Goes back to where it stands. As `translate` leaves `transform` alone, a list may glide meanwhile. */
export function settle(element) {
  const { translate } = element.style;
  element.style.translate = '';
  if (!translate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  element.animate({ translate: [translate, 'none'] }, { duration: 200, easing: 'ease-out' });
}

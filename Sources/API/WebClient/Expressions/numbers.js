// Numbers, some of which are texts: a `Decimal`, so that no digit is lost.

const form = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/;

/** Whether a value is a number, or a text in the one form in which the service writes a `Decimal`. */
export const isNumeric = (value) => typeof value === 'number' || typeof value === 'string' && form.test(value);

/** Returns a number that is negative, 0 or positive like the difference of two numbers, down to the last digit. */
export function order(one, other) {
  const rough = one - other;
  if (rough || !form.test(one) || !form.test(other)) return rough;
  const [[whole, part = ''], [otherWhole, otherPart = '']] = [one, other].map((number) => String(number).split('.'));
  const places = Math.max(part.length, otherPart.length);
  return Number(BigInt(whole + part.padEnd(places, 0)) - BigInt(otherWhole + otherPart.padEnd(places, 0)));
}

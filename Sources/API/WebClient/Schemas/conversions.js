/** How fields hold and send what is no plain text, by kind: `{held(field, value), sent(text, field, near)}`; dates come with the second module. */
export const conversions = {};

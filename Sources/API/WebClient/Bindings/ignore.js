// `data-ignore`: leaves an element and all in it to another script.

export const ignore = { name: 'ignore', isAlone: true, plan: () => undefined };

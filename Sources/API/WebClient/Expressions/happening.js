/** The event that is being handled: `$event.detail`, `$event.key`. */
export const happening = {};

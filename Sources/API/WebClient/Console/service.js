// Requests to the console's service.

/** The service's address, which may lie below a path of a proxy. */
export const service = new URL('..', import.meta.url).href;

/** Creates a session and resolves to it; throws a sentence for people. */
export const makeSession = (viewModel, parameters) => asked('', { viewModel, parameters });

/** Gets a resource of a session, or posts a body, and resolves to the response; throws a sentence for people. */
export async function asked(path, body) {
  const response = await fetch(`${service}sessions${path && `/${path}`}`, body && {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(sentence(answer));
  return answer;
}

/** Resolves to a session's present version; 0 if it is unknown. */
export async function versionOf(id) {
  const answer = await fetch(`${service}sessions/${id}`, { cache: 'no-store' }).then((response) => response.json()).catch(() => null);
  return answer?.version ?? 0;
}

/** Returns a problem (RFC 9457) as a sentence, with the faulty member. */
export const sentence = ({ detail, title, member }) => [member, detail ?? title].filter(Boolean).join(': ');

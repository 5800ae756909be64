// The service that has this console.

/** Its address, also below a path of a proxy. */
export const service = new URL('..', import.meta.url).href;

/** Makes a session and answers it; throws a sentence for people. */
export const makeSession = (viewModel, parameters) => asked('', { viewModel, parameters });

/** Asks for something of a session, or posts a body, and answers it; throws a sentence for people. */
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

/** The version that a session has now; 0 where nobody knows. */
export async function versionOf(id) {
  const answer = await fetch(`${service}sessions/${id}`, { cache: 'no-store' }).then((response) => response.json()).catch(() => null);
  return answer?.version ?? 0;
}

/** A problem (RFC 9457) in a sentence, with the member that it is about. */
export const sentence = ({ detail, title, member }) => [member, detail ?? title].filter(Boolean).join(': ');

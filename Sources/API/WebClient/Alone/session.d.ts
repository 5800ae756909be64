/** A refusal of the service (RFC 9457). */
export declare class Problem extends Error {
  readonly status: number;
  /** A path that explains it, such as `/problems/not-permitted`. */
  readonly type: string;
  /** All members of the service's answer. */
  readonly members: { readonly [member: string]: unknown };
}

/**
 * How a session is connected: `stale` means that State is the last known one, and that the client tries again; `ended`
 * that the session is over.
 */
export type Connection = 'connecting' | 'live' | 'stale' | 'ended';

export interface Options<Parameters> {
  /** The id of a session that exists; otherwise one is created, or found by its name. */
  id?: string;
  name?: string;
  /** `shared` lets everybody find the name, not only its identity. */
  scope?: 'own' | 'shared';
  parameters?: Parameters;
  /** The bearer token of a login. */
  token?: string;
  headers?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
}

export interface Session<State, Input> {
  readonly id: string;
  readonly state: State;
  readonly version: number;
  readonly connection: Connection;
  /** Why the session has ended: `deleted`, `expired`, or a sentence. */
  readonly endReason?: string;
  /** Whether the service's view model has other types than those here: write this file again. */
  readonly isOutdated: boolean;
  /**
   * Sends an Input, after those before it; resolves once it is applied or, with `settled`, once nothing is left of the
   * work that it started. Repeats the request, with one key, until there is an answer: the Input is applied once.
   * Rejects with a `Problem` if the service refuses it.
   */
  send(input: Input, options?: { settled?: boolean }): Promise<void>;
  /** Calls a function now and after each change of `state`, `connection` and `isOutdated`; returns what ends that. */
  observe(observer: (session: Session<State, Input>) => void): () => void;
  /** Stops following the session, and sends nothing any more. */
  close(): void;
  /** Ends the session for everybody. */
  end(): Promise<void>;
}

/**
 * The client of UIFusion, as every service has it at `/uifusion.js`.
 *
 * ```js
 * import { session } from '/uifusion.js';
 *
 * const counter = session('counter');
 * counter.observe('value', (value) => { document.title = `${value} · Counter`; });
 * await counter.send('increase');
 * ```
 */

/** Any JSON value. */
export type JSONValue =
  | string | number | boolean | null
  | readonly JSONValue[]
  | { readonly [member: string]: JSONValue };

/** A value of which each assignment counts, even of an equal value: `pulse` counts the assignments. */
export interface Pulse<Value> {
  readonly value: Value;
  readonly pulse: number;
}

/**
 * The types of the hosted view models, by name. Declare yours, and `session('counter')` knows them:
 *
 * ```ts
 * declare module '/uifusion.js' {
 *   interface ViewModels {
 *     counter: {
 *       state: { value: number; alert: Pulse<string | null> };
 *       input: 'increase' | 'decrease' | { setDuration: number };
 *     };
 *   }
 * }
 * ```
 */
export interface ViewModels {}

type StateOf<Hosted> = Hosted extends { state: infer State } ? State : any;
type InputOf<Hosted> = Hosted extends { input: infer Input } ? Input : JSONValue;
type ParametersOf<Hosted> = Hosted extends { parameters: infer Parameters } ? Parameters : JSONValue;

/**
 * The type of the value at a path such as `frame.width`, `todos.0.title` or `todos.count`; `''` is the whole value.
 * Within a path, a Pulse stands for its value; a missing member is `undefined`.
 */
export type ValueAt<Value, Path extends string> =
  string extends Path ? any
  : Path extends '' ? Value
  : Path extends `${infer Name}.${infer Rest}` ? ValueAt<Member<Value, Name>, Rest>
  : Member<Value, Path>;

type Member<Value, Name extends string> =
  0 extends 1 & Value ? any
  : Value extends Pulse<infer Inner> ? PlainMember<Inner, Name>
  : PlainMember<Value, Name>;

type PlainMember<Value, Name extends string> =
  Value extends readonly (infer Element)[]
    ? Name extends 'count' ? number : Name extends `${number}` ? Element | undefined : undefined
  : Value extends string ? (Name extends 'count' ? number : undefined)
  : Value extends object ? (Name extends keyof Value ? Value[Name] : undefined)
  : undefined;

/**
 * How a session is connected:
 *
 * - `connecting`: there is no State yet.
 * - `live`: State is that of the service.
 * - `stale`: the service does not respond; State is the last known one, and the client retries. Inputs wait, in order.
 * - `offline`: the same, and the browser has no network.
 * - `ended`: the session is over: see {@link Session.endReason}.
 */
export type Connection = 'connecting' | 'live' | 'stale' | 'offline' | 'ended';

/** A service's description of a refusal (RFC 9457). */
export interface Problem {
  /** A path that explains it, such as `/problems/queue-full`. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What to do next, in one sentence. */
  readonly detail?: string;
  /** The faulty member of an Input or of parameters. */
  readonly member?: string;
  /** The known names, if an unknown one was sent. */
  readonly known?: readonly string[];
  readonly requestId?: string;
  readonly [member: string]: unknown;
}

/** The error for an Input or a new session that is refused. Its message is a sentence for people. */
export class Refusal extends Error {
  private constructor();
  /** The HTTP status; 0 if no response came. */
  readonly status: number;
  /** The service's problem; null if the service did not respond itself. */
  readonly problem: Problem | null;
  /** The faulty member of an Input or of parameters. */
  readonly member: string | undefined;
  /** The last part of the problem's type, such as `queue-full`. */
  readonly type: string | undefined;
  /** Whether the session has never existed or has ended. */
  readonly isGone: boolean;
  /** Whether the service has the session, but its present version cannot read it. */
  readonly isUnreadable: boolean;
  /** True if the Input was withdrawn before it was sent. */
  readonly isWithdrawn?: true;
  /** Whether the same request may succeed later. */
  readonly isPassing: boolean;
}

/** An Input without a response yet. */
export interface WaitingInput<Input = JSONValue> {
  readonly input: Input;
  /** The Input in words for the user; undefined if it was sent before `uifusion-more.js` came. */
  readonly words?: string;
  /** Of the waiting Inputs with the same text here, only the newest is sent. */
  readonly replaces?: string;
}

/** Inputs that will not be sent: one that was refused or lost, and those that waited behind it. */
export interface GivenUp<Input = JSONValue> {
  readonly inputs: readonly Input[];
  /** The Inputs in words for the user, as far as known. */
  readonly words: readonly (string | undefined)[];
  /** A sentence for people. */
  readonly reason: string;
  readonly problem: Problem | null;
}

export interface SessionOptions<Parameters = JSONValue> {
  /**
   * The session of this name: the user's own, in all their browsers, or this browser's if nobody is signed in. Without a name
   * it is this browser's only one of the view model.
   */
  name?: string;
  /** The shared session of this name, which everybody has who may have sessions; instead of `name`. */
  shared?: string;
  /** The parameters of a new session. */
  parameters?: Parameters;
}

export interface SendOptions {
  /** The Input in words, for the user's list of waiting Inputs. */
  words?: string;
  /**
   * Of the waiting Inputs with the same text here, only the newest is sent: `{ replaces: 'search' }`. Those before an Input
   * without `replaces` stay, as it may need them.
   */
  replaces?: string;
  /** Whether the Input is secret: it is not stored, so that it does not survive a reload, and notices show only its name. */
  isSecret?: boolean;
}

/** The events of a session. */
export interface SessionEvents {
  /** State has changed; at most once in a frame, for the newest State. */
  state: Event;
  /** {@link Session.connection} has changed. */
  connection: Event;
  /** {@link Session.waiting}, {@link Session.givenUp}, {@link Session.trouble} or {@link Session.notice} has changed. */
  queue: Event;
  /** An Input is about to be sent, or the page goes away: send now what you hold back. */
  flush: Event;
}

/**
 * A session of a view model: a new one, or the same as before a reload.
 *
 * Inputs are sent in order. While the service does not respond they wait, even over reloads; none is applied twice.
 */
export class Session<State = any, Input = JSONValue> extends EventTarget {
  /** See {@link session}. */
  private constructor();

  readonly viewModel: string;
  readonly name: string;
  /** Whether the name is that of a shared session. */
  readonly isShared: boolean;
  /** Null until the session exists. Anybody who has the id may use the session, so do not share links with it. */
  readonly id: string | null;
  readonly version: number;
  /** Null until it is known. Unchanged parts are the same objects from version to version. */
  readonly state: State | null;
  /** Whether State is a new session's first one, shown until the session exists. */
  readonly isPreview: boolean;
  readonly connection: Connection;
  /** Why the session has ended, in a sentence; else empty. */
  readonly endReason: string;
  /** Why the service does not respond, in a sentence; empty while all is well. */
  readonly trouble: string;
  /** How the session was found, in a sentence for the user; empty once it is dismissed. */
  readonly notice: string;
  /** The Inputs without a response yet, oldest first. */
  readonly waiting: readonly WaitingInput<Input>[];
  /** How many Inputs may wait. */
  readonly limit: number;
  /** The Inputs that will not be sent, until they are dismissed. */
  readonly givenUp: readonly GivenUp<Input>[];

  /**
   * Sends an Input. Resolves to a version once it was processed and {@link state} is at least that version;
   * rejects with a {@link Refusal}.
   */
  send(input: Input, options?: SendOptions): Promise<number>;

  /**
   * Calls back with the value at a path: now, if there is a State, and whenever the value changes.
   *
   * @param path as in `frame.width`, `todos.0.title`, `todos.count`; `''` is the whole State.
   * @returns A function that ends the callbacks.
   */
  observe<Path extends string>(
    path: Path,
    callback: (value: ValueAt<State, Path>, before: ValueAt<State, Path> | undefined) => void
  ): () => void;

  /**
   * Calls back once for each assignment of a Pulse, even over reloads and reconnects; not for assignments before the
   * page was first loaded.
   *
   * @returns A function that ends the callbacks.
   */
  pulse<Path extends string>(
    path: Path,
    callback: (value: ValueAt<State, Path> extends Pulse<infer Value> ? Value : ValueAt<State, Path>) => void
  ): () => void;

  /** Resolves to whether all work of the Inputs is done before the timeout, in seconds (60 by default). */
  settled(options?: { timeout?: number }): Promise<boolean>;
  /** Whether an Input of {@link waiting} was sent, and so may have arrived. */
  isSent(entry: WaitingInput<Input>): boolean;
  /** Withdraws an Input of {@link waiting}, unless it was sent. Its promise rejects. */
  withdraw(entry: WaitingInput<Input>): void;
  /** Removes an entry of {@link givenUp}. */
  dismiss(entry: GivenUp<Input>): void;
  /** Removes the {@link notice}. */
  dismissNotice(): void;
  /** After the end, opens a new session with the same parameters. */
  restart(): void;
  /** Ends the session for everybody: its work is cancelled, its State is deleted. */
  close(): Promise<void>;

  addEventListener<Name extends keyof SessionEvents>(
    type: Name,
    listener: (this: Session<State, Input>, event: SessionEvents[Name]) => void,
    options?: boolean | AddEventListenerOptions
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | AddEventListenerOptions
  ): void;
  removeEventListener<Name extends keyof SessionEvents>(
    type: Name,
    listener: (this: Session<State, Input>, event: SessionEvents[Name]) => void,
    options?: boolean | EventListenerOptions
  ): void;
  removeEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject | null,
    options?: boolean | EventListenerOptions
  ): void;
}

/** Returns the page's session of a view model: the same object for the same view model and name. */
export function session<Name extends keyof ViewModels & string>(
  viewModel: Name,
  options?: SessionOptions<ParametersOf<ViewModels[Name]>>
): Session<StateOf<ViewModels[Name]>, InputOf<ViewModels[Name]>>;
export function session<State = any, Input = JSONValue>(
  viewModel: string,
  options?: SessionOptions
): Session<State, Input>;

/**
 * Binds an element and its descendants to their sessions by their attributes: at once, unless `uifusion-more.js` has to be
 * loaded first. The client binds the page itself when it loads.
 */
export function bind(root?: Document | Element): void;

/**
 * Adds a function that `data-behavior-chart="points"` calls when its element is added, and whenever the value changes:
 *
 * ```js
 * behavior('chart', (element, points) => { draw(element, points); return () => stop(element); });
 * ```
 *
 * The function that it returned last is called when the element is removed with its row. `before` is undefined at first.
 */
export function behavior(
  name: string,
  act: (element: HTMLElement, value: any, before: any) => (() => void) | void
): void;

/**
 * Adds a format for expressions such as `rating | stars`:
 *
 * ```js
 * format('stars', (value) => '★'.repeat(value));
 * ```
 */
export function format(name: string, make: (value: any, ...words: string[]) => string): void;

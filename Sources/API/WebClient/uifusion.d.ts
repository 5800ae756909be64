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

/** What JSON can say. */
export type JSONValue =
  | string | number | boolean | null
  | readonly JSONValue[]
  | { readonly [member: string]: JSONValue };

/** A value that is noticed each time it is assigned, even with an equal one: `pulse` counts the assignments. */
export interface Pulse<Value> {
  readonly value: Value;
  readonly pulse: number;
}

/**
 * The types of what a service hosts, by name. Declare yours, and `session('counter')` knows them:
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
 * What a path such as `frame.width`, `todos.0.title` or `todos.count` leads to; `''` is all of it.
 * On its way a Pulse stands for its value; `undefined` is where nothing is.
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
 * How a session is connected. It is always true:
 *
 * - `connecting`: there is no State yet.
 * - `live`: what is shown is what the service has.
 * - `stale`: the service does not answer; it is shown as it was, and tried again. Inputs wait, in order.
 * - `offline`: the same, and the browser has no network.
 * - `ended`: the session is over: see {@link Session.endReason}.
 */
export type Connection = 'connecting' | 'live' | 'stale' | 'offline' | 'ended';

/** What a service says about what it refuses (RFC 9457). */
export interface Problem {
  /** A path that explains it, such as `/problems/queue-full`. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  /** What to do next, in one sentence. */
  readonly detail?: string;
  /** The faulty member of an Input or of parameters. */
  readonly member?: string;
  /** The names that there are, where another one was sent. */
  readonly known?: readonly string[];
  readonly requestId?: string;
  readonly [member: string]: unknown;
}

/** What an Input, or a new session, is refused with. Its message is a sentence for people. */
export class Refusal extends Error {
  private constructor();
  /** Of HTTP; 0 where nothing answered. */
  readonly status: number;
  /** What the service said; null where something else spoke for it. */
  readonly problem: Problem | null;
  /** The faulty member of an Input or of parameters. */
  readonly member: string | undefined;
  /** The last part of the problem's type, such as `queue-full`. */
  readonly type: string | undefined;
  /** The session never was, or has ended. */
  readonly isGone: boolean;
  /** The service has the session, and its present version cannot read it. */
  readonly isUnreadable: boolean;
  /** The user has taken it back before it was sent. */
  readonly isWithdrawn?: true;
  /** The same may well succeed later. */
  readonly isPassing: boolean;
}

/** An Input without an answer yet. */
export interface WaitingInput<Input = JSONValue> {
  readonly input: Input;
  /** What it does, as a user reads it; none if it was sent before `uifusion-more.js` came. */
  readonly words?: string;
  /** Of those that wait with the same word, only the newest is sent. */
  readonly replaces?: string;
}

/** Inputs that will not be sent: one was refused or lost, and what stood behind it goes with it. */
export interface GivenUp<Input = JSONValue> {
  readonly inputs: readonly Input[];
  /** The same as a user reads them, where that is known. */
  readonly words: readonly (string | undefined)[];
  /** A sentence for people. */
  readonly reason: string;
  readonly problem: Problem | null;
}

export interface SessionOptions<Parameters = JSONValue> {
  /** Another session of the same view model beside the one without a name. */
  name?: string;
  /** What a new session is made with. */
  parameters?: Parameters;
}

export interface SendOptions {
  /** What it does, as a user reads it in the list of what waits. */
  words?: string;
  /**
   * Of the Inputs that wait with this word, only the newest is sent: `{ replaces: 'search' }`. Those before one that
   * replaces nothing stay, as it may need them.
   */
  replaces?: string;
  /** It is not stored, so that it does not survive a reload while it waits, and no notice shows more than its name. */
  isSecret?: boolean;
}

/** The events of a session. */
export interface SessionEvents {
  /** State has changed; once a frame at the most, and then it is the newest. */
  state: Event;
  /** {@link Session.connection} has changed. */
  connection: Event;
  /** What waits, was given up, or is said about that has changed: {@link Session.waiting}, {@link Session.trouble}, … */
  queue: Event;
  /** Before Inputs leave, and when the page goes away: what is held back is to be sent now. */
  flush: Event;
}

/**
 * A session of a view model: found again after a reload, or made.
 *
 * Inputs leave in order. While nothing answers they wait, over reloads too, and nothing is applied twice.
 */
export class Session<State = any, Input = JSONValue> extends EventTarget {
  /** See {@link session}. */
  private constructor();

  readonly viewModel: string;
  readonly name: string;
  /** Null until there is one. Who holds it may use the session: it belongs into no link that is shared. */
  readonly id: string | null;
  readonly version: number;
  /** Null until it is known. What has not changed is the same object from version to version. */
  readonly state: State | null;
  /** Whether State is what a new session begins with, shown until the session is there. */
  readonly isPreview: boolean;
  readonly connection: Connection;
  /** Why it has ended, in a sentence; else empty. */
  readonly endReason: string;
  /** Why nothing answers, in a sentence; empty while all is well. */
  readonly trouble: string;
  /** What the user should know of how the session was found, in a sentence; empty once it is dismissed. */
  readonly notice: string;
  /** The Inputs without an answer yet, oldest first. */
  readonly waiting: readonly WaitingInput<Input>[];
  /** How many Inputs may wait. */
  readonly limit: number;
  /** What will not be sent, until it is dismissed. */
  readonly givenUp: readonly GivenUp<Input>[];

  /**
   * Sends an Input. Resolves to a version once it was processed and {@link state} is at least that version;
   * rejects with a {@link Refusal}.
   */
  send(input: Input, options?: SendOptions): Promise<number>;

  /**
   * Calls back with what a path leads to: now, if State is there, and whenever it changes.
   *
   * @param path as in `frame.width`, `todos.0.title`, `todos.count`; `''` is the whole State.
   * @returns what stops it.
   */
  observe<Path extends string>(
    path: Path,
    callback: (value: ValueAt<State, Path>, before: ValueAt<State, Path> | undefined) => void
  ): () => void;

  /**
   * Calls back each time that a Pulse is assigned: once, over reloads and reconnects. One that was assigned
   * before the page was loaded is not told.
   *
   * @returns what stops it.
   */
  pulse<Path extends string>(
    path: Path,
    callback: (value: ValueAt<State, Path> extends Pulse<infer Value> ? Value : ValueAt<State, Path>) => void
  ): () => void;

  /** Resolves to whether nothing is left of the work that the Inputs started, after so many seconds (60) at the most. */
  settled(options?: { timeout?: number }): Promise<boolean>;
  /** Whether one of {@link waiting} was sent: it may have arrived. */
  isSent(entry: WaitingInput<Input>): boolean;
  /** Takes one of {@link waiting} back, unless it was sent. Its promise rejects. */
  withdraw(entry: WaitingInput<Input>): void;
  /** Takes an entry of {@link givenUp} away. */
  dismiss(entry: GivenUp<Input>): void;
  /** Takes the {@link notice} away. */
  dismissNotice(): void;
  /** After the end: a new session, with the same parameters. */
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

/** The session of a view model on this page: the same object for the same view model and name. */
export function session<Name extends keyof ViewModels & string>(
  viewModel: Name,
  options?: SessionOptions<ParametersOf<ViewModels[Name]>>
): Session<StateOf<ViewModels[Name]>, InputOf<ViewModels[Name]>>;
export function session<State = any, Input = JSONValue>(
  viewModel: string,
  options?: SessionOptions
): Session<State, Input>;

/**
 * Ties an element, and what is below it, to its sessions by its attributes: at once, unless the rest of the client has
 * to be loaded for it. The page as it is loaded is tied by itself.
 */
export function bind(root?: Document | Element): void;

/**
 * Adds a function that `data-behavior-chart="points"` calls when its element comes, and whenever the value changes:
 *
 * ```js
 * behavior('chart', (element, points) => { draw(element, points); return () => stop(element); });
 * ```
 *
 * What it returned last is called when the element goes with its row. `before` is undefined at first.
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

/**
 * How a scripted language server behaves, and the command that starts one.
 *
 * Its language has three words. `ERROR(message)` on a line is an error, `WARN(message)` a warning, and
 * `NEEDS(file)` an error unless that file, relative to the document, holds `PROVIDES`: as an open document,
 * or on disk when it is not open.
 */
import { childProgram } from './child-program.ts';

export interface Behaviour {
  /** How diagnostics are delivered; absent: `pull`. `silent`: never, although documents are read. */
  readonly diagnostics?: 'pull' | 'push' | 'push-unversioned' | 'silent';
  readonly sync?: 'incremental' | 'full';
  /** The encoding of columns, whatever the client offered. */
  readonly positionEncoding?: 'utf-8' | 'utf-32';
  /** Ends with code 70 and last words on stderr when the n-th message of this method arrives. */
  readonly crashOn?: { readonly method: string; readonly nth?: number };
  /** Ends with this code before it answers `initialize`. */
  readonly exitAtInitialize?: number;
  /** Milliseconds by which answers to requests, by method, are late. */
  readonly answerAfterMs?: Readonly<Record<string, number>>;
  /** Answers requests, by method and name of the document, only once this file is gone. */
  readonly heldWhile?: Readonly<Record<string, string>>;
  /** Milliseconds by which publications are late. */
  readonly publishAfterMs?: number;
  readonly neverAnswers?: readonly string[];
  /** Answers requests, by method, with an error. */
  readonly errors?: Readonly<Record<string, { readonly code: number; readonly message: string }>>;
  /**
   * Capabilities announced besides those of its language, and what it answers to requests: by method, or by
   * method and name of the document, as in `textDocument/definition a.scripted`.
   */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  readonly results?: Readonly<Record<string, unknown>>;
  /** After each publication for the newest version, publishes for the previous version again. */
  readonly publishesOldVersionsLast?: boolean;
  /** Publishes nothing but empty lists for a version that no client has sent yet. */
  readonly publishesVersionsAhead?: boolean;
  /** Publishes nothing after a change that does not alter the text. */
  readonly passesOverSameText?: boolean;
  /** Prints text that is no message to stdout: before anything else, or when this method arrives. */
  readonly garbageOn?: 'start' | (string & {});
  /** Ends for neither `shutdown`, `exit`, the end of its input nor SIGTERM. */
  readonly refusesShutdown?: boolean;
  /** Answers this many pulls with ServerCancelled before the first real answer. */
  readonly cancelsPulls?: number;
  /** Begins a progress and never ends it. */
  readonly endlessProgress?: boolean;
  /** Before it answers a request, reports progress under the token of that request. */
  readonly reportsWork?: boolean;
  /** Requests this edit while it executes a command, and answers the command with the client's response. */
  readonly editsOnCommand?: unknown;
  /** Starts a process of its own; its id is `capabilities.experimental.grandchild`. */
  readonly spawnsGrandchild?: boolean;
  /** Requests sent to the client after `initialized`; `scripted/answers` returns the responses. */
  readonly asks?: readonly { readonly method: string; readonly params?: unknown }[];
}

/** Requests beyond the protocol that return what the server has received. */
export const scriptedRequests = {
  /** The open documents: `{ [uri]: { version, text } }`. */
  documents: 'scripted/documents',
  /** The methods received so far, in order. */
  received: 'scripted/received',
  /** What the client answered to `asks`: `{ result }` or `{ error }` each. */
  answers: 'scripted/answers',
  /** The parameters of the last message of a method, given as `{ method }`. */
  lastParams: 'scripted/lastParams',
} as const;

export function scriptedServerCommand(behaviour: Behaviour = {}): string[] {
  return [process.execPath, childProgram('scripted-server'), JSON.stringify(behaviour)];
}

/**
 * The events of an agent's hook and the answers to them, in our own types. A dialect translates both.
 *
 * Invariant: an event is either about edits, about the end of a turn, irrelevant, or unknown; unknown ones are reported.
 */

import type { Finding, Verdict } from '../../evaluation/evaluation.ts';
import type { FormerText, ProposedChange } from '../../host/check/proposal-check.ts';
import type { UntrustedNote } from '../../servers/server-detection.ts';
import type { ExitCode } from '../exit-code.ts';

export type HookEvent =
  | {
      readonly kind: 'edit';
      /** Whether the agent is about to edit, or has edited. */
      readonly when: 'before' | 'after';
      readonly files: readonly EditedFile[];
      readonly session: string | undefined;
      /** The directory that the agent works in. */
      readonly directory: string;
    }
  | {
      readonly kind: 'stop';
      readonly session: string | undefined;
      readonly directory: string;
      /** Whether the agent goes on because this hook had it go on before. */
      readonly isRetry: boolean;
    }
  /** Known, and nothing to judge: another tool, another moment. */
  | { readonly kind: 'irrelevant' }
  | { readonly kind: 'unknown'; readonly what: string };

export interface EditedFile {
  /** Absolute. */
  readonly filePath: string;
  /** The path as the agent wrote it. */
  readonly given: string;
  /** Absent if the event does not say what changes. */
  readonly change?: ProposedChange;
  /** The text before the edit, if the event has it. */
  readonly former?: Pick<FormerText, 'text'>;
}

export type HookOutcome =
  /** There is nothing to report. */
  | { readonly kind: 'silent' }
  /** There is no verdict. */
  | { readonly kind: 'unjudged'; readonly reason: string; readonly audience: 'agent' | 'log' }
  | {
      readonly kind: 'judged';
      readonly verdict: Verdict['kind'];
      /** The text for the agent. */
      readonly note: string;
      /** `deny` stops the edit, or has the agent go on at the end of a turn; `approve` spares the user a question. */
      readonly decision: 'deny' | 'approve' | 'none';
      readonly errors: readonly ShownFinding[];
      readonly durationMs: number;
      /** What was not used because the workspace is not trusted, and how to trust it. */
      readonly untrusted?: UntrustedNote;
    };

/** A finding, with its file as the agent would name it. */
export interface ShownFinding {
  readonly file: string;
  readonly diagnostic: Finding['diagnostic'];
}

export interface HookAnswer {
  /** For standard output; may be empty. */
  readonly output: string;
  readonly code: ExitCode;
}

export interface HookDialect {
  readonly agent: string;
  /**
   * Where a note reaches the agent without stopping its edit: with the answer before the edit, or only with the one
   * after it.
   */
  readonly warnsAt: 'before' | 'after';
  /** The event; undefined if it is none of this agent. */
  parse(payload: Payload, directory: string): HookEvent | undefined;
  answer(event: HookEvent, outcome: HookOutcome): HookAnswer;
}

export type Payload = Readonly<Record<string, unknown>>;

/**
 * What people are shown of a session beside its edits: who made it, what it is for, its last verdict and the commands
 * run on it.
 *
 * Invariant: verdict and commands are about the current edits of the session; an edit removes them. A list that was
 * shortened is still counted whole.
 */
import { z } from 'zod';
import { type Evaluation, type Finding, verdictOf } from '../evaluation/evaluation.ts';
import { evaluationSchema, verdictSchema } from '../evaluation/outcome-schema.ts';

/** One command that was run on a session. */
export type CommandRecord = z.infer<typeof commandSchema>;

/** The last evaluation of a session: the verdict, the counts, and the evaluation with its longest lists cut. */
export type StoredEvaluation = z.infer<typeof storedEvaluationSchema>;

export interface SessionDetails {
  /** The name that the client gave, or the program that made the session. */
  readonly author?: string | undefined;
  /** What the change is for, in a sentence. */
  readonly title?: string | undefined;
  readonly evaluation?: StoredEvaluation | undefined;
  readonly commands?: readonly CommandRecord[] | undefined;
}

const commandSchema = z
  .object({
    command: z.string(),
    /** False if the command could not be kept from the disk, and so was not run. */
    ran: z.boolean(),
    passed: z.boolean(),
    exitCode: z.number().exactOptional(),
    timedOut: z.boolean().exactOptional(),
    testsRun: z.number().exactOptional(),
    durationMs: z.number().exactOptional(),
    at: z.number(),
  })
  .readonly();

const count = z.number().int().nonnegative();

const storedEvaluationSchema = z
  .object({
    at: z.number(),
    verdict: verdictSchema,
    evaluation: evaluationSchema,
    counts: z.object({ introducedErrors: count, introduced: count, resolved: count, files: count }),
  })
  .readonly();

/** Details of another version of this program may have another form; they are left out, and the session stays. */
export const detailsShape = {
  author: z.string().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  evaluation: storedEvaluationSchema.optional().catch(undefined),
  commands: z.array(commandSchema).readonly().optional().catch(undefined),
};

/** How many entries of a list are stored. */
const storedEntries = 100;

/** How many commands are stored; the oldest go first. */
const storedCommands = 20;

export function storedEvaluation(evaluation: Evaluation): StoredEvaluation {
  const { introduced, resolved, evaluatedFiles, doubts } = evaluation;
  return {
    at: Date.now(),
    verdict: verdictOf(evaluation),
    evaluation: {
      ...evaluation,
      introduced: shortened(introduced),
      resolved: shortened(resolved),
      evaluatedFiles: evaluatedFiles.slice(0, storedEntries),
      doubts: doubts.slice(0, storedEntries),
    },
    counts: {
      introducedErrors: introduced.filter(({ diagnostic }) => diagnostic.severity === 'error').length,
      introduced: introduced.length,
      resolved: resolved.length,
      files: evaluatedFiles.length,
    },
  };
}

export function withCommands(
  { commands = [], ...details }: SessionDetails,
  added: readonly CommandRecord[],
): SessionDetails {
  return { ...details, commands: [...commands, ...added].slice(-storedCommands) };
}

/** The details alone, of a record that has them among its members. */
export function detailsOf({ author, title, evaluation, commands }: SessionDetails): SessionDetails {
  return { author, title, evaluation, commands };
}

/** What stays true after an edit. */
export function afterEdit({ author, title }: SessionDetails): SessionDetails {
  return { author, title };
}

/** What a server attached to a diagnostic for its own later use is not stored. */
function shortened(findings: readonly Finding[]): Finding[] {
  return findings.slice(0, storedEntries).map(({ path, diagnostic: { data: _, ...diagnostic } }) => {
    return { path, diagnostic };
  });
}

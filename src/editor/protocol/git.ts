/**
 * Git on the wire: what is changed since the last commit, and what can be done with it.
 *
 * Invariant: unsaved text counts as it is shown. What git stages and commits is on disk: a file with unsaved text is refused.
 */
import { z } from 'zod';
import { wireEvaluation } from './evaluation.ts';
import { method, nothing, path } from './method.ts';

const gitChange = z.object({
  path,
  kind: z.enum(['added', 'modified', 'deleted', 'untracked', 'conflict']),
});
export type GitChange = z.infer<typeof gitChange>;

/** A list may be cut; `count` is whole. */
const gitChanges = z.object({ count: z.number().int(), entries: z.array(gitChange) });

export const gitStatus = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unread') }),
  /** There is no repository, or git cannot read it. */
  z.object({ kind: z.literal('none'), reason: z.string() }),
  z.object({
    kind: z.literal('repository'),
    /** Grows whenever files on disk, the index or the head may be others. */
    revision: z.number().int(),
    /** Absent: the head names a commit. */
    branch: z.string().optional(),
    /** The last commit; absent: there is none. */
    head: z.string().optional(),
    staged: gitChanges,
    unstaged: gitChanges,
    /** Staged files of the repository outside this workspace: a commit takes them along. */
    stagedOutside: z.number().int(),
    /** Hooks that a commit would run. Without trust they are withheld. */
    hooks: z.array(z.string()),
  }),
]);
export type GitStatus = z.infer<typeof gitStatus>;

const paths = z.array(path).min(1).max(10_000);
/** `staged`: the index alone. `all`: everything that is not committed, unsaved text included. */
const part = z.enum(['staged', 'all']);

export const gitMethods = {
  /** Looks again. */
  'git.status': method(nothing, gitStatus),
  /** A file in its three states; lines are joined by a line feed. Absent: no such file, or no text. */
  'git.texts': method(
    z.object({ path }),
    z.object({
      head: z.string().optional(),
      index: z.string().optional(),
      shown: z.string().optional(),
      /** One of the states is no text. */
      isBinary: z.boolean(),
    }),
  ),
  'git.stage': method(z.object({ paths }), nothing),
  'git.unstage': method(z.object({ paths }), nothing),
  /** Files are again what the index has, untracked ones are gone. What was there is kept as a what-if. */
  'git.discard': method(z.object({ paths }), z.object({ whatIf: z.string().optional() })),
  'git.commit': method(
    z.object({ message: z.string().min(1).max(50_000), part }),
    z.object({ commit: z.string(), files: z.number().int(), hooks: z.enum(['none', 'ran', 'withheld']) }),
  ),
  /** What the uncommitted change does, compared with the last commit. Absent: there is nothing to judge. */
  'git.judge': method(z.object({ part }), z.object({ evaluation: wireEvaluation.optional() })),
} as const;

export const gitEvents = [z.object({ kind: z.literal('git.changed'), status: gitStatus })] as const;

export const gitSnapshot = z.object({ git: gitStatus.optional() });

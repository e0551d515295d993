import { isAbsolute, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { readStored } from '../../../base/stored-json.ts';
import { sha256 } from '../../../storage/hash.ts';
import { absentHash, type ContentHash, parseContentHash } from '../../../workspace/content-hash.ts';
import { parseWorkspacePath, type WorkspacePath } from '../../../workspace/workspace-path.ts';
import type { DecisionPlace } from '../commit-decision.ts';
import type { DirectoryIdentity } from './directory-identity.ts';
import { CorruptJournal } from './transaction-failure.ts';

/**
 * One change to the tree, in execution order. The new entry of step number `i` is staged as `new-i` in the work
 * directory; the old one is kept as `old-i`.
 */
export type Step =
  | { readonly kind: 'delete'; readonly path: WorkspacePath; readonly before: ContentHash }
  | { readonly kind: 'rmdir'; readonly path: WorkspacePath; readonly mode: number }
  | { readonly kind: 'mkdir'; readonly path: WorkspacePath }
  | {
      readonly kind: 'replace';
      readonly path: WorkspacePath;
      readonly before: ContentHash;
      readonly after: ContentHash;
    }
  | { readonly kind: 'create'; readonly path: WorkspacePath; readonly after: ContentHash };

/** The directory a journal is about. */
export interface JournaledRoot extends DirectoryIdentity {
  readonly root: string;
  /** The boot id of the machine, empty if unknown. Device numbers are comparable only within one boot. */
  readonly boot: string;
}

/** The steps of a transaction, and the directory they change. */
export interface Journal {
  readonly workspace: JournaledRoot;
  readonly work: {
    readonly path: WorkspacePath;
    /** Absent: the directory may not exist yet, and is empty. */
    readonly identity?: DirectoryIdentity;
  };
  /** Absent: nothing in the tree was touched, or everything was restored. */
  readonly steps?: readonly Step[];
  /** Where it is decided whether the steps stay; absent: by the name of the journal alone. */
  readonly decidedAt?: DecisionPlace;
}

/**
 * A journal as a file: one line with its version and the SHA-256 of the second line, which is the journal as JSON.
 *
 * Invariant: what `parseJournal` returns is what `printJournal` was given, or it throws.
 */
export function printJournal(journal: Journal): string {
  const content = JSON.stringify(journal, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return `${JSON.stringify({ version, sha256: sha256(content) })}\n${content}\n`;
}

export function parseJournal(text: string, stateDirectory: string): Journal {
  const [head = '', content = '', ...rest] = text.split('\n');
  const { sha256: recorded } = parsed(head, headerSchema, 'the first line');
  if (rest.join('') !== '' || recorded !== sha256(content)) {
    throw new CorruptJournal('the content does not have the recorded checksum');
  }
  const { workspace, work, steps, decidedAt } = parsed(content, journalSchema, 'the journal');
  if (decidedAt && !isRecordOfOurs(decidedAt, stateDirectory)) {
    throw new CorruptJournal('the journal.decidedAt.record is not in our state directory');
  }
  return { workspace, work, ...(steps && { steps }), ...(decidedAt && { decidedAt }) };
}

/** Whether a decision is recorded where a journal may refer to. */
export function isRecordOfOurs({ record }: DecisionPlace, stateDirectory: string): boolean {
  const below = relative(resolve(stateDirectory), resolve(record));
  return (
    isAbsolute(record) &&
    below !== '' &&
    below !== '..' &&
    !below.startsWith(`..${sep}`) &&
    !isAbsolute(below)
  );
}

const version = 2;

const headerSchema = z.object({
  version: z.literal(version, { error: 'is not one this program reads' }),
  sha256: z.string(),
});

const number = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(BigInt);

const identitySchema = z.object({ dev: number, ino: number });

/** Exactly as printed: we never write another spelling of the same path. */
const path = z.string().transform((text, context): WorkspacePath => {
  const parsedPath = parseWorkspacePath(text);
  if (parsedPath !== undefined && parsedPath !== '' && parsedPath === text) return parsedPath;
  context.addIssue('is no path in the workspace');
  return z.NEVER;
});

const hash = z.string().transform((text, context): ContentHash => {
  const parsedHash = parseContentHash(text);
  if (parsedHash !== undefined && parsedHash !== absentHash) return parsedHash;
  context.addIssue('is no hash');
  return z.NEVER;
});

const stepSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('delete'), path, before: hash }),
  z.object({ kind: z.literal('rmdir'), path, mode: z.number().int().nonnegative() }),
  z.object({ kind: z.literal('mkdir'), path }),
  z.object({ kind: z.literal('replace'), path, before: hash, after: hash }),
  z.object({ kind: z.literal('create'), path, after: hash }),
]);

const journalSchema = z.object({
  workspace: identitySchema.extend({ root: z.string(), boot: z.string() }),
  work: z.object({ path, identity: identitySchema.exactOptional() }),
  steps: z.array(stepSchema).optional(),
  // Every file contains an empty mark.
  decidedAt: z.object({ record: z.string(), mark: z.string().min(1) }).optional(),
});

function parsed<T>(text: string, schema: z.ZodType<T>, place: string): T {
  const read = readStored(text, schema);
  if (read.kind === 'corrupt') throw new CorruptJournal(`${place}${read.why}`);
  return read.value;
}

import { closeSync, existsSync, fsync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { absentHash, type ContentHash, parseContentHash } from '../../workspace/content-hash.ts';
import { isMissing } from '../../workspace/errno.ts';
import { parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { DecisionPlace } from '../commit-decision.ts';
import { Shape } from './json-shape.ts';
import { CorruptTransaction } from './transaction-failure.ts';

/**
 * One change to the tree, in the order it is made. The new bytes of step number `i` wait in `new/i`; what
 * was there before is kept in `old/i`.
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

/** What a transaction is about to do. */
export interface Journal {
  readonly steps: readonly Step[];
  /** Where it is decided whether the steps stay; absent: by the name of the journal alone. */
  readonly decidedAt?: DecisionPlace;
}

export type JournalState =
  /** Nothing in the tree was touched yet. */
  | { readonly kind: 'staging' }
  /** Some of these steps may have been made. */
  | { readonly kind: 'swapping'; readonly journal: Journal }
  | { readonly kind: 'committed' };

/**
 * The record that makes many renames one.
 *
 * Invariant: it appears whole before the first step and changes its name after the last, each in one
 * rename, so what is found after a crash says exactly whether to undo or to keep, or where that is written.
 */
export async function writeJournal(
  transaction: string,
  journal: Journal,
  durability: 'process' | 'power',
): Promise<void> {
  const draft = join(transaction, 'journal.tmp');
  const file = openSync(draft, 'wx');
  try {
    writeFileSync(file, JSON.stringify({ version: 1, ...journal }));
    if (durability === 'power') await flush(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, join(transaction, pendingName));
}

/** The commit point. */
export async function markCommitted(transaction: string): Promise<void> {
  renameSync(join(transaction, pendingName), join(transaction, committedName));
}

export async function readJournal(transaction: string): Promise<JournalState> {
  if (existsSync(join(transaction, committedName))) return { kind: 'committed' };
  const text = readIfThere(join(transaction, pendingName));
  return text === undefined
    ? { kind: 'staging' }
    : { kind: 'swapping', journal: parseJournal(text, transaction) };
}

export const journalNames = ['journal.tmp', 'journal.json', 'journal.committed'] as const;

const [, pendingName, committedName] = journalNames;

const flush = promisify(fsync);

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

function parseJournal(text: string, transaction: string): Journal {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CorruptTransaction(`the journal in "${transaction}" is no JSON`, { cause });
  }
  const journal = new Shape(value, `journal in "${transaction}":`, CorruptTransaction);
  if (journal.get('version').count() !== 1) journal.get('version').refuse('is not one this program reads');
  const decidedAt = journal.optional('decidedAt');
  return {
    steps: journal.get('steps').items().map(parseStep),
    ...(decidedAt && { decidedAt: parsePlace(decidedAt) }),
  };
}

function parsePlace(place: Shape): DecisionPlace {
  const mark = place.get('mark').string();
  // Any file holds an empty mark.
  if (mark === '') return place.get('mark').refuse('is empty');
  return { record: place.get('record').string(), mark };
}

function parseStep(step: Shape): Step {
  const kind = step.get('kind').string();
  const path = parseWorkspacePath(step.get('path').string());
  if (path === undefined || path === '') return step.get('path').refuse('leaves the workspace');
  const hash = (key: string): ContentHash => {
    const parsed = parseContentHash(step.get(key).string());
    return parsed === undefined || parsed === absentHash ? step.get(key).refuse('is no hash') : parsed;
  };
  switch (kind) {
    case 'delete':
      return { kind, path, before: hash('before') };
    case 'rmdir':
      return { kind, path, mode: step.get('mode').count() };
    case 'mkdir':
      return { kind, path };
    case 'replace':
      return { kind, path, before: hash('before'), after: hash('after') };
    case 'create':
      return { kind, path, after: hash('after') };
    default:
      return step.get('kind').refuse('is unknown');
  }
}

import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { absentHash, type ContentHash, parseContentHash } from '../../workspace/content-hash.ts';
import { isMissing } from '../../workspace/errno.ts';
import { parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';
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

export type JournalState =
  /** Nothing in the tree was touched yet. */
  | { readonly kind: 'staging' }
  /** Some of these steps may have been made. */
  | { readonly kind: 'swapping'; readonly steps: readonly Step[] }
  | { readonly kind: 'committed' };

/**
 * The record that makes many renames one.
 *
 * Invariant: it appears whole before the first step and changes its name after the last, each in one
 * rename, so what is found after a crash says exactly whether to undo or to keep.
 */
export async function writeJournal(
  transaction: string,
  steps: readonly Step[],
  durability: 'process' | 'power',
): Promise<void> {
  const draft = join(transaction, 'journal.tmp');
  {
    await using handle = await open(draft, 'wx');
    await handle.writeFile(JSON.stringify({ version: 1, steps }));
    if (durability === 'power') await handle.sync();
  }
  await rename(draft, join(transaction, pendingName));
}

/** The commit point. */
export async function markCommitted(transaction: string): Promise<void> {
  await rename(join(transaction, pendingName), join(transaction, committedName));
}

export async function readJournal(transaction: string): Promise<JournalState> {
  if ((await readIfThere(join(transaction, committedName))) !== undefined) return { kind: 'committed' };
  const text = await readIfThere(join(transaction, pendingName));
  return text === undefined
    ? { kind: 'staging' }
    : { kind: 'swapping', steps: parseSteps(text, transaction) };
}

export const journalNames = ['journal.tmp', 'journal.json', 'journal.committed'] as const;

const [, pendingName, committedName] = journalNames;

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

function parseSteps(text: string, transaction: string): Step[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CorruptTransaction(`the journal in "${transaction}" is no JSON`, { cause });
  }
  const journal = new Shape(value, `journal in "${transaction}":`, CorruptTransaction);
  if (journal.get('version').count() !== 1) journal.get('version').refuse('is not one this program reads');
  return journal.get('steps').items().map(parseStep);
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

import { isAbsolute, relative, resolve, sep } from 'node:path';
import { sha256 } from '../../../storage/hash.ts';
import { absentHash, type ContentHash, parseContentHash } from '../../../workspace/content-hash.ts';
import { parseWorkspacePath, type WorkspacePath } from '../../../workspace/workspace-path.ts';
import { JsonReader } from '../../internal/json-reader.ts';
import type { DecisionPlace } from '../commit-decision.ts';
import type { DirectoryIdentity } from './directory-identity.ts';
import { CorruptJournal } from './transaction-failure.ts';

/**
 * One change to the tree, in the order it is made. The new bytes of step number `i` wait under `new-i` in the work
 * directory; what was there before is kept under `old-i`.
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
  /** The start of the machine, empty where unknown. Device numbers mean something only within one. */
  readonly boot: string;
}

/** What a transaction is about to do, and to what. */
export interface Journal {
  readonly workspace: JournaledRoot;
  readonly work: {
    readonly path: WorkspacePath;
    /** Absent: the directory may not be there yet, and nothing is in it. */
    readonly identity?: DirectoryIdentity;
  };
  /** Absent: nothing in the tree was touched, or everything is as before again. */
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
  const header = new JsonReader(parseJson(head), 'the first line', CorruptJournal);
  if (header.get('version').count() !== version)
    header.get('version').refuse('is not one this program reads');
  if (rest.join('') !== '' || header.get('sha256').string() !== sha256(content)) {
    throw new CorruptJournal('the content does not have the recorded checksum');
  }
  const journal = new JsonReader(parseJson(content), 'the journal', CorruptJournal);
  const steps = journal.optional('steps');
  const decidedAt = journal.optional('decidedAt');
  return {
    workspace: parseRoot(journal.get('workspace')),
    work: parseWork(journal.get('work')),
    ...(steps && { steps: steps.items().map(parseStep) }),
    ...(decidedAt && { decidedAt: parsePlace(decidedAt, stateDirectory) }),
  };
}

/** Whether a decision is recorded where a journal may look for it. */
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CorruptJournal('it is cut short or no journal', { cause });
  }
}

function parseRoot(workspace: JsonReader): JournaledRoot {
  return {
    root: workspace.get('root').string(),
    boot: workspace.get('boot').string(),
    ...parseIdentity(workspace),
  };
}

function parseWork(work: JsonReader): Journal['work'] {
  const identity = work.optional('identity');
  return { path: parsePath(work.get('path')), ...(identity && { identity: parseIdentity(identity) }) };
}

function parseIdentity(identity: JsonReader): DirectoryIdentity {
  const number = (key: string): bigint => {
    const text = identity.get(key).string();
    return /^\d{1,20}$/.test(text) ? BigInt(text) : identity.get(key).refuse('is no number');
  };
  return { dev: number('dev'), ino: number('ino') };
}

function parsePlace(place: JsonReader, stateDirectory: string): DecisionPlace {
  const mark = place.get('mark').string();
  // Any file holds an empty mark.
  if (mark === '') return place.get('mark').refuse('is empty');
  const parsed = { record: place.get('record').string(), mark };
  return isRecordOfOurs(parsed, stateDirectory)
    ? parsed
    : place.get('record').refuse('is not in our state directory');
}

function parsePath(shape: JsonReader): WorkspacePath {
  const text = shape.string();
  const path = parseWorkspacePath(text);
  return path === undefined || path === '' || path !== text
    ? shape.refuse('is no path in the workspace')
    : path;
}

function parseStep(step: JsonReader): Step {
  const kind = step.get('kind').string();
  const path = parsePath(step.get('path'));
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

/**
 * Changes to a workspace as data, drawn by kind from a seed.
 *
 * Invariant: the same sources, seed and kinds give the same changes, and a change says nothing about what should come of it:
 * that is for a compiler.
 */
import { SeededRandom } from '../seeded-random.ts';
import type { Sources } from './sources.ts';

export interface ChangedFile {
  readonly path: string;
  /** The whole text after the change; undefined where the file is deleted. */
  readonly after: string | undefined;
}

export interface Change {
  readonly kind: string;
  /** What was done, for a person who repeats it. */
  readonly sentence: string;
  /** Each path once. A renamed file is a deleted and a created one. */
  readonly files: readonly ChangedFile[];
}

/** Draws one change of its kind; undefined where the sources offer no place for it, or this draw met none. */
export type DrawChange = (sources: Sources, random: SeededRandom) => Change | undefined;

export interface ChangeKind {
  readonly name: string;
  readonly draw: DrawChange;
}

export interface DrawOptions {
  readonly seed: number;
  readonly count: number;
  /** Only kinds of these names; absent: all. */
  readonly only?: readonly string[];
}

/** Changes of the kinds in turn, no two alike; fewer than asked for where the sources offer fewer. */
export function drawChanges(
  kinds: readonly ChangeKind[],
  sources: Sources,
  options: DrawOptions,
): readonly Change[] {
  const wanted = kinds.filter(({ name }) => options.only?.includes(name) ?? true);
  const changes: Change[] = [];
  const seen = new Set<string>();
  const exhausted = new Set<string>();
  for (let turn = 0; changes.length < options.count && exhausted.size < wanted.length; turn++) {
    const kind = wanted[turn % wanted.length];
    if (!kind || exhausted.has(kind.name)) continue;
    // Each draw has a seed of its own, so that one kind more or less leaves the others as they are.
    const random = new SeededRandom(options.seed * 1_000_003 + hashOf(kind.name) + turn);
    const drawn = drawUnseen(kind, { sources, random, seen });
    if (drawn) changes.push(drawn);
    else exhausted.add(kind.name);
  }
  return changes;
}

const attempts = 60;

function drawUnseen(
  { name, draw }: ChangeKind,
  { sources, random, seen }: { sources: Sources; random: SeededRandom; seen: Set<string> },
): Change | undefined {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const change = draw(sources, random);
    const key = JSON.stringify(change?.files);
    if (!change || seen.has(key) || !altersSomething(change, sources)) continue;
    seen.add(key);
    return { ...change, kind: name };
  }
  return undefined;
}

function altersSomething({ files }: Change, sources: Sources): boolean {
  return files.some(({ path, after }) => sources.text(path) !== after);
}

function hashOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return hash;
}

/**
 * Branches and other states of a repository as the sides of a merge.
 *
 * Invariant: a composition is what `git merge` gives for the same commits in the same order; each is made once.
 */
import type { Overlay } from '../overlay/overlay.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { MergeObjects, MergeOutcome } from './merge-objects.ts';
import { changesOverlay, treeOverlay } from './repository-overlay.ts';

export interface MergeSides {
  readonly objects: MergeObjects;
  readonly workspace: Workspace;
  /** An overlay without changes. */
  readonly disk: Overlay;
  /** The commit that the sides are merged onto. */
  readonly target: string;
  readonly sides: readonly { readonly name: string; readonly commit: string }[];
}

type Composition =
  | { readonly kind: 'merged'; readonly overlay: Overlay }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] };

export class GitMergeSource {
  readonly sides: readonly string[];
  readonly #parts: MergeSides;
  /** The merge of each sequence of sides, by their indexes. */
  readonly #merges = new Map<string, Promise<MergeOutcome>>();
  readonly #states = new Map<string, Promise<Overlay>>();

  constructor(parts: MergeSides) {
    this.#parts = parts;
    this.sides = parts.sides.map(({ name }) => name);
  }

  async compose(below: readonly number[], top: number, signal: AbortSignal): Promise<Composition> {
    const [from, to] = await Promise.all([
      this.#merged(below, signal),
      this.#merged([...below, top], signal),
    ]);
    if (from.kind === 'conflict') return from;
    if (to.kind === 'conflict') return to;
    const base = await this.#state(below, signal);
    return { kind: 'merged', overlay: await this.#onto(base, from.commit, to.commit, signal) };
  }

  /** The commit of the target with a sequence of sides merged into it. */
  #merged(sequence: readonly number[], signal: AbortSignal): Promise<MergeOutcome> {
    const key = sequence.join(' ');
    const known = this.#merges.get(key);
    if (known) return known;
    const made = this.#merge(sequence, signal);
    this.#merges.set(key, made);
    return made;
  }

  async #merge(sequence: readonly number[], signal: AbortSignal): Promise<MergeOutcome> {
    const { objects, target, sides } = this.#parts;
    const last = sides[sequence.at(-1) ?? -1];
    if (!last) return { kind: 'merged', commit: target };
    const before = await this.#merged(sequence.slice(0, -1), signal);
    return before.kind === 'conflict' ? before : objects.merge(before.commit, last.commit, signal);
  }

  /** The workspace with a sequence of sides merged into the target. */
  #state(sequence: readonly number[], signal: AbortSignal): Promise<Overlay> {
    const key = sequence.join(' ');
    const known = this.#states.get(key);
    if (known) return known;
    const made = this.#makeState(sequence, signal);
    this.#states.set(key, made);
    return made;
  }

  async #makeState(sequence: readonly number[], signal: AbortSignal): Promise<Overlay> {
    const { objects, workspace, disk, target } = this.#parts;
    if (sequence.length === 0)
      return treeOverlay(objects.repository, { tree: target, workspace, disk }, signal);
    const merged = await this.#merged(sequence, signal);
    const base = await this.#state([], signal);
    return merged.kind === 'conflict' ? base : this.#onto(base, target, merged.commit, signal);
  }

  #onto(base: Overlay, from: string, to: string, signal: AbortSignal): Promise<Overlay> {
    const { objects, workspace } = this.#parts;
    return changesOverlay(objects.repository, { from, to, workspace, base }, signal);
  }
}

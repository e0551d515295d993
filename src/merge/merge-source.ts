/**
 * Commits as the sides of a merge.
 *
 * Invariant: a composition is what `git merge` gives for the same commits in the same order; each is made once.
 */
import { unjudgedSubmodules } from '../evaluation/server-assignment.ts';
import { changesBetween } from '../git/file-state.ts';
import type { MergeObjects, MergeOutcome } from '../git/merge-objects.ts';
import { movedSubmodules, visibleSubmodules } from '../git/moved-submodule.ts';
import { changesOverlay } from '../git/repository-overlay.ts';
import type { Overlay } from '../overlay/overlay.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Composition, MergeSource } from './merge-evaluation.ts';

export interface MergeSides {
  readonly objects: MergeObjects;
  readonly workspace: Workspace;
  /** The commit that the sides are merged onto. */
  readonly target: string;
  /** The workspace as the target has it. */
  readonly base: Overlay;
  readonly sides: readonly { readonly name: string; readonly side: MergeOutcome }[];
}

export class CommitMergeSource implements MergeSource {
  readonly sides: readonly string[];
  readonly #parts: MergeSides;
  /** The merge of each sequence of sides, by their indexes. */
  readonly #merges = new Map<string, Promise<MergeOutcome>>();
  readonly #states = new Map<string, Promise<Overlay>>();
  readonly #moved = new Map<number, Promise<readonly WorkspacePath[]>>();

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
    const moved = await Promise.all([...below, top].map((side) => this.#movedBy(side, signal)));
    const unjudged = unjudgedSubmodules([...new Set(moved.flat())]);
    return { kind: 'merged', overlay: await this.#onto(base, from.commit, to.commit, signal), unjudged };
  }

  /** The workspace with a sequence of sides merged into the target; with nothing of it, if they do not merge. */
  merged(sequence: readonly number[], signal: AbortSignal): Promise<Overlay> {
    return this.#state(sequence, signal);
  }

  /** The submodules that a side moves. */
  #movedBy(side: number, signal: AbortSignal): Promise<readonly WorkspacePath[]> {
    const known = this.#moved.get(side);
    if (known) return known;
    const found = this.#submodulesOf(side, signal);
    this.#moved.set(side, found);
    return found;
  }

  async #submodulesOf(side: number, signal: AbortSignal): Promise<readonly WorkspacePath[]> {
    const { objects, target, workspace } = this.#parts;
    const merged = await this.#merged([side], signal);
    if (merged.kind === 'conflict') return [];
    const moved = movedSubmodules(
      await changesBetween(objects.repository, { from: target, to: merged.commit }, signal),
    );
    return visibleSubmodules(objects.repository, { moved, workspace });
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
    if (before.kind === 'conflict') return before;
    return last.side.kind === 'conflict' ? last.side : objects.merge(before.commit, last.side.commit, signal);
  }

  #state(sequence: readonly number[], signal: AbortSignal): Promise<Overlay> {
    const key = sequence.join(' ');
    const known = this.#states.get(key);
    if (known) return known;
    const made = this.#makeState(sequence, signal);
    this.#states.set(key, made);
    return made;
  }

  async #makeState(sequence: readonly number[], signal: AbortSignal): Promise<Overlay> {
    const { base, target } = this.#parts;
    if (sequence.length === 0) return base;
    const merged = await this.#merged(sequence, signal);
    return merged.kind === 'conflict' ? base : this.#onto(base, target, merged.commit, signal);
  }

  #onto(base: Overlay, from: string, to: string, signal: AbortSignal): Promise<Overlay> {
    const { objects, workspace } = this.#parts;
    return changesOverlay(objects.repository, { from, to, workspace, base }, signal);
  }
}

/**
 * The files of an agent that works in an editor: what it changes is a proposal until its user accepts it.
 *
 * Invariants: nothing that is not accepted is in a buffer or on disk. The agent sees the user's text with its own open
 * changes in it, and no change that was rejected. What the user types meanwhile is kept, or the agent's call conflicts.
 */
import {
  type AgentFiles,
  type CommitBinding,
  type FilesOutcome,
  ForkedFiles,
} from '../../agent/files/agent-files.ts';
import type { TextContent } from '../../agent/files/editable-file.ts';
import { Channel } from '../../base/channel.ts';
import { Failure } from '../../base/failure.ts';
import { type LayerEntry, Overlay } from '../../overlay/overlay.ts';
import { type PatchedChange, patchesOf } from '../../overlay/patch.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import { comparePaths, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { EditorText } from './editor-text.ts';
import { type HunkDecision, mergedContent, ProposedFile, type ProposedHunk } from './proposed-file.ts';

/** `applied`: what the agent changes is in the files at once. */
export type EditChoice = 'proposed' | 'applied';

export class ProposedFiles implements AgentFiles {
  /** Emits whenever the proposal changed. */
  readonly changed = new Channel<void>();
  readonly #text: EditorText;
  readonly #choice: () => EditChoice;
  readonly #files = new Map<WorkspacePath, ProposedFile>();
  /** What was last seen of files that are not open, which can only be read later. */
  readonly #known = new Map<WorkspacePath, FileContent | undefined>();
  readonly #settled: SettledHunk[] = [];

  constructor(text: EditorText, choice: () => EditChoice) {
    this.#text = text;
    this.#choice = choice;
  }

  /** The files of the proposal, by path. */
  get files(): readonly ProposedFile[] {
    return [...this.#files.values()].sort((a, b) => comparePaths(a.path, b.path));
  }

  get openHunks(): number {
    return this.files.flatMap(({ hunks }) => hunks).filter(({ decision }) => decision.kind === 'open').length;
  }

  /** What the next call of the agent sees. Its own change is a layer on top, so that it is judged by itself. */
  overlay(): Overlay {
    const text = this.#text.overlay();
    const layer = text.layer();
    const entries = [...this.#files.values()].flatMap(
      (file): readonly (readonly [WorkspacePath, LayerEntry])[] => {
        if (!file.hunks.some(({ decision }) => decision.kind === 'open')) return [];
        const entry = layer.get(file.path) ?? this.#known.get(file.path);
        const current = entry === 'removed' ? undefined : textIn(entry);
        return [[file.path, file.seenByAgent(current) ?? 'removed']];
      },
    );
    return Overlay.on(Overlay.on(text).writeAll(entries));
  }

  fork(): AgentFiles {
    return new ForkedFiles(Overlay.on(this.overlay()));
  }

  /** Work that is bound to a decision was accepted by the user already, and is applied. */
  async commit(made: Overlay, binding: CommitBinding, signal: AbortSignal): Promise<FilesOutcome> {
    const changes = await made.changes();
    const texts = changes.every(({ before, after }) => isTextOrNone(before) && isTextOrNone(after));
    const isApplied = binding.decision !== undefined || this.#choice() === 'applied' || !texts;
    return isApplied ? this.#apply(made, binding, signal) : this.#propose(changes);
  }

  /** A turn begins: what was decided about before is over, what is still open stays. */
  async beginTurn(): Promise<void> {
    for (const file of this.files) {
      if (file.hunks.every(({ decision }) => decision.kind !== 'open')) this.#files.delete(file.path);
    }
    await this.#refresh();
    this.changed.emit();
  }

  /** Forgets the proposal; what was accepted stays. */
  clear(): void {
    this.#files.clear();
    this.#known.clear();
    this.#settled.length = 0;
    this.changed.emit();
  }

  /** Carries out decisions about hunks, all of them or none; what is accepted or taken back is one step to undo. */
  async decide(decisions: ReadonlyMap<string, HunkDecision>, signal: AbortSignal): Promise<void> {
    const text = this.#text.overlay();
    const decided: ProposedFile[] = [];
    const entries: (readonly [WorkspacePath, LayerEntry])[] = [];
    for (const file of this.files) {
      if (!file.hunks.some(({ id }) => decisions.has(id))) continue;
      const current = textIn(await text.read(file.path));
      const outcome = file.carriedOut(current, decisions);
      if (outcome === 'conflict') throw new PlaceChanged(file.path);
      decided.push(file.decided(decisions));
      if (outcome.content?.text !== current?.text) entries.push([file.path, outcome.content ?? 'removed']);
    }
    if (entries.length > 0) {
      const outcome = await this.#text.apply(Overlay.on(text).writeAll(entries), {}, signal);
      if (outcome.kind === 'conflict') throw new PlaceChanged(outcome.paths.join(', '));
    }
    for (const file of decided) this.#files.set(file.path, file);
    await this.#refresh();
    this.#settle(decided, decisions);
    this.changed.emit();
  }

  /** The decisions since the last call, for the model. */
  takeSettled(): readonly SettledHunk[] {
    return this.#settled.splice(0);
  }

  /** What is still open, as if it was rejected. */
  openAsRejected(): readonly SettledHunk[] {
    return this.files.flatMap((file) =>
      file.hunks
        .filter(({ decision }) => decision.kind === 'open')
        .map((hunk) => settledHunk(file, { ...hunk, decision: { kind: 'rejected' } })),
    );
  }

  /** The proposal as two layers over the user's text: the files as the agent found them, and with chosen hunks. */
  judged(chosen: (decision: HunkDecision, id: string) => boolean): Overlay {
    const baselines = this.files.map(
      ({ path, fate, baseline }) => [path, asEntry(fate === 'created', baseline)] as const,
    );
    const below = Overlay.on(this.#text.overlay()).writeAll(baselines);
    const entries = this.files.flatMap((file) => {
      const ids = file.hunks.filter(({ decision, id }) => chosen(decision, id));
      const picked = new Map(ids.map(({ id, decision }) => [id, asAccepted(decision)]));
      const fresh = file.decided(new Map(file.hunks.map(({ id }) => [id, { kind: 'open' } as const])));
      const baseline = file.fate === 'created' ? undefined : ({ kind: 'text', text: file.baseline } as const);
      const outcome = fresh.carriedOut(baseline, picked);
      return outcome === 'conflict' || ids.length === 0
        ? []
        : [[file.path, outcome.content ?? 'removed'] as const];
    });
    return Overlay.on(below).writeAll(entries);
  }

  async #apply(made: Overlay, binding: CommitBinding, signal: AbortSignal): Promise<FilesOutcome> {
    const changes = await made.changes();
    const text = this.#text.overlay();
    const landing = await this.#merged(changes, text);
    const wanted = await this.#merged(changes, this.overlay());
    if ('paths' in landing) return landing;
    const outcome = await this.#text.apply(Overlay.on(text).writeAll(landing.entries), binding, signal);
    if (outcome.kind === 'conflict') return outcome;
    // Changes that were open in these files stay open: they are not part of what was just applied.
    const still = 'paths' in wanted ? [] : wanted.entries.filter(([path]) => this.#files.has(path));
    for (const [path] of landing.entries) this.#files.delete(path);
    await this.#put(still);
    this.changed.emit();
    return outcome;
  }

  async #propose(changes: readonly PatchedChange[]): Promise<FilesOutcome> {
    const seen = await this.#merged(changes, this.overlay());
    if ('paths' in seen) return seen;
    await this.#put(seen.entries);
    this.changed.emit();
    return { kind: 'committed', patch: patchesOf(changes), warnings: [] };
  }

  /** Proposes that files become this, compared with what the user has now. */
  async #put(entries: readonly (readonly [WorkspacePath, LayerEntry])[]): Promise<void> {
    const text = this.#text.overlay();
    for (const [path, entry] of entries) {
      const current = await text.read(path);
      const wanted = textIn(entry === 'removed' ? undefined : entry);
      const file = ProposedFile.between(path, textIn(current), wanted);
      this.#known.set(path, current);
      if (file) this.#files.set(path, file);
      else this.#files.delete(path);
    }
  }

  /** What the changes make of files that may have changed since the agent saw them. */
  async #merged(
    changes: readonly PatchedChange[],
    now: Overlay,
  ): Promise<{ readonly entries: readonly (readonly [WorkspacePath, LayerEntry])[] } | Conflict> {
    const entries: (readonly [WorkspacePath, LayerEntry])[] = [];
    for (const { path, from, before, after } of changes) {
      if (from !== undefined) entries.push([from, 'removed']);
      if (!isTextOrNone(before) || !isTextOrNone(after)) {
        entries.push([path, after ?? 'removed']);
        continue;
      }
      const old = from === undefined ? textIn(before) : undefined;
      const merged = mergedContent(path, { before: old, after: textIn(after) }, textIn(await now.read(path)));
      if (merged === 'conflict') return { kind: 'conflict', paths: [path] };
      entries.push([path, merged.content ?? 'removed']);
    }
    return { entries };
  }

  #settle(files: readonly ProposedFile[], decisions: ReadonlyMap<string, HunkDecision>): void {
    for (const file of files) {
      for (const hunk of file.hunks) {
        if (!decisions.has(hunk.id)) continue;
        const before = this.#settled.findIndex(({ id }) => id === hunk.id);
        if (before >= 0) this.#settled.splice(before, 1);
        if (hunk.decision.kind !== 'open') this.#settled.push(settledHunk(file, hunk));
      }
    }
  }

  async #refresh(): Promise<void> {
    const text = this.#text.overlay();
    for (const { path } of this.files) this.#known.set(path, await text.read(path));
  }
}

/** A hunk that the user decided about. */
export interface SettledHunk {
  readonly id: string;
  readonly path: WorkspacePath;
  /** From 0. */
  readonly line: number;
  readonly replaced: string;
  readonly text: string;
  readonly decision: HunkDecision;
}

type Conflict = FilesOutcome & { readonly kind: 'conflict' };

class PlaceChanged extends Failure {
  readonly code = 'editor/place-changed';
  readonly remedy = 'Reject the change, or ask the agent to make it again on the text that is there now.';

  constructor(where: string) {
    super(`the lines of this change in ${where} are different now`);
  }
}

function settledHunk(file: ProposedFile, hunk: ProposedHunk): SettledHunk {
  const { id, decision, text, oldLine: line } = hunk;
  return { id, path: file.path, line, replaced: file.replaced(hunk), text, decision };
}

function asAccepted(decision: HunkDecision): HunkDecision {
  return decision.kind === 'edited' ? decision : { kind: 'accepted' };
}

function asEntry(isAbsent: boolean, text: string): LayerEntry {
  return isAbsent ? 'removed' : { kind: 'text', text };
}

function isTextOrNone(content: FileContent | undefined): boolean {
  return content === undefined || content.kind === 'text';
}

function textIn(content: FileContent | undefined): TextContent | undefined {
  return content?.kind === 'text' ? content : undefined;
}

/**
 * The proposal of a turn as the user decides about it.
 *
 * Invariant: nothing is changed under a running agent: decisions made meanwhile wait for the end of its turn.
 */
import { Channel } from '../../base/channel.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import type { AgentProposal, ProposalHunk } from '../protocol/agent.ts';
import type { ProposalVerdicts } from './proposal-verdicts.ts';
import type { HunkDecision, ProposedFile, ProposedHunk } from './proposed-file.ts';
import type { EditChoice, ProposedFiles, SettledHunk } from './proposed-files.ts';
import { reviewNote } from './review-note.ts';

export interface ProposalParts {
  readonly files: ProposedFiles;
  readonly verdicts: ProposalVerdicts;
  /** What becomes of edits now. */
  readonly choice: () => EditChoice;
  readonly isRunning: () => boolean;
}

export class ProposalReview {
  readonly changed = new Channel<void>();
  readonly #parts: ProposalParts;
  readonly #waiting = new Map<string, HunkDecision>();
  #title = '';

  constructor(parts: ProposalParts) {
    this.#parts = parts;
    parts.files.changed.subscribe(() => {
      parts.verdicts.refresh();
      this.changed.emit();
    });
    parts.verdicts.changed.subscribe(() => this.changed.emit());
  }

  get choice(): EditChoice {
    return this.#parts.choice();
  }

  /** Undefined if nothing is proposed. */
  get shown(): AgentProposal | undefined {
    const { files, verdicts } = this.#parts;
    if (files.files.length === 0) return undefined;
    return {
      title: this.#title,
      files: files.files.map((file) => ({
        path: file.path,
        fate: file.fate,
        baseline: file.baseline,
        hunks: file.hunks.map((hunk) => this.#shownHunk(file, hunk)),
      })),
      all: verdicts.all,
      accepted: verdicts.accepted,
    };
  }

  /** What the agent sees. */
  seen(): Overlay {
    return this.#parts.files.overlay();
  }

  /** A turn begins; `title` is what was asked. */
  async begin(title: string): Promise<void> {
    if (this.#parts.files.openHunks === 0) this.#title = title;
    await this.#parts.files.beginTurn();
  }

  async decide(
    decisions: ReadonlyMap<string, HunkDecision>,
    signal: AbortSignal,
  ): Promise<'done' | 'waiting'> {
    if (!this.#parts.isRunning()) {
      await this.#parts.files.decide(decisions, signal);
      return 'done';
    }
    for (const [id, decision] of decisions) this.#waiting.set(id, decision);
    this.changed.emit();
    return 'waiting';
  }

  async carryOutWaiting(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size === 0) return;
    const known = new Set(this.#parts.files.files.flatMap(({ hunks }) => hunks.map(({ id }) => id)));
    // A hunk that the turn went on to change is another one now, and is decided about anew.
    const decisions = new Map([...this.#waiting].filter(([id]) => known.has(id)));
    this.#waiting.clear();
    if (decisions.size > 0) await this.#parts.files.decide(decisions, signal);
    else this.changed.emit();
  }

  /** What the model is told of the decisions since it was last told. */
  takeNote(): string | undefined {
    const { files } = this.#parts;
    return reviewNote(files.takeSettled(), files.openHunks);
  }

  /** Gives the proposal up; what was still open counts as rejected. */
  abandon(): readonly SettledHunk[] {
    const { files } = this.#parts;
    const settled = [...files.takeSettled(), ...files.openAsRejected()];
    this.#waiting.clear();
    files.clear();
    return settled;
  }

  /** The user's text changed: the verdicts are about another one. */
  textChanged(): void {
    if (this.#parts.files.files.length === 0) return;
    this.#parts.verdicts.refresh();
    this.changed.emit();
  }

  #shownHunk(file: ProposedFile, hunk: ProposedHunk): ProposalHunk {
    const { id, text, oldLine, newLine, decision } = hunk;
    const note = this.#parts.verdicts.notes.get(id);
    return {
      id,
      before: file.replaced(hunk),
      after: text,
      oldLine,
      newLine,
      decision: this.#waiting.get(id) ?? decision,
      ...(note !== undefined && { note }),
      isWaiting: this.#waiting.has(id),
    };
  }
}

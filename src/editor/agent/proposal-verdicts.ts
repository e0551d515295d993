/**
 * The verdicts of a proposal while it is decided about: of all of it, of what was accepted, of all without one hunk.
 *
 * Invariant: a verdict shown is that of the present proposal on the present text; until it is there, it is `checking`.
 */
import { Channel } from '../../base/channel.ts';
import { Failure } from '../../base/failure.ts';
import { failureLogger, type Log } from '../../base/log.ts';
import type { Evaluator } from '../../evaluation/evaluator.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { AgentVerdict } from '../protocol/agent.ts';
import { checkedVerdict } from './agent-verdict.ts';
import type { ProposedFiles } from './proposed-files.ts';

export interface VerdictParts {
  readonly evaluator: Evaluator;
  readonly workspace: Workspace;
  readonly files: ProposedFiles;
  readonly log: Log;
}

/** Each hunk costs an evaluation, so a larger proposal has no notes. */
const mostNotes = 12;
const timeoutMs = 30_000;

export class ProposalVerdicts implements AsyncDisposable {
  readonly changed = new Channel<void>();
  readonly #parts: VerdictParts;
  #all: AgentVerdict = checking;
  #accepted: AgentVerdict = checking;
  #notes: ReadonlyMap<string, string> = new Map();
  #run = new AbortController();
  #work: Promise<void> = Promise.resolve();

  constructor(parts: VerdictParts) {
    this.#parts = parts;
  }

  get all(): AgentVerdict {
    return this.#all;
  }

  get accepted(): AgentVerdict {
    return this.#accepted;
  }

  /** What matters about a hunk, by its id. */
  get notes(): ReadonlyMap<string, string> {
    return this.#notes;
  }

  /** The proposal, or the text it stands on, is another one: what was known is void. */
  refresh(): void {
    const { files, log } = this.#parts;
    this.#run.abort(new DOMException('the proposal changed', 'AbortError'));
    this.#all = checking;
    this.#accepted = checking;
    this.#notes = new Map();
    if (files.files.length === 0) return;
    this.#run = new AbortController();
    const { signal } = this.#run;
    const before = this.#work;
    this.#work = before
      .then(() => this.#check(signal))
      .catch(failureLogger(log, 'editor.proposal-unchecked'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#run.abort(new DOMException('the editor was closed', 'AbortError'));
    await this.#work;
  }

  async #check(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { files } = this.#parts;
    const decisions = files.files.flatMap(({ hunks }) => hunks.map(({ decision }) => decision.kind));
    const all = await this.#verdict(
      files.judged((decision) => decision.kind !== 'rejected'),
      signal,
    );
    if (signal.aborted) return;
    const hasLanded = (kind: string): boolean => kind === 'accepted' || kind === 'edited';
    const isAllAccepted = decisions.every(hasLanded);
    const accepted = isAllAccepted
      ? all
      : decisions.some(hasLanded)
        ? await this.#verdict(
            files.judged(({ kind }) => hasLanded(kind)),
            signal,
          )
        : nothingAccepted;
    if (signal.aborted) return;
    this.#all = all;
    this.#accepted = accepted;
    this.changed.emit();
    if (all.kind === 'clean' && decisions.length > 1 && decisions.length <= mostNotes)
      await this.#note(signal);
  }

  /** Which open hunks the others need. */
  async #note(signal: AbortSignal): Promise<void> {
    const { files } = this.#parts;
    const open = files.files.flatMap(({ hunks }) => hunks).filter(({ decision }) => decision.kind === 'open');
    for (const { id } of open) {
      const without = files.judged((decision, each) => decision.kind !== 'rejected' && each !== id);
      const verdict = await this.#verdict(without, signal);
      if (signal.aborted) return;
      if (verdict.kind !== 'broken') continue;
      const count = verdict.paths.length;
      this.#notes = new Map(this.#notes).set(
        id,
        `Breaks ${count} ${count === 1 ? 'file' : 'files'} without it`,
      );
      this.changed.emit();
    }
  }

  async #verdict(overlay: Overlay, signal: AbortSignal): Promise<AgentVerdict> {
    const { evaluator, workspace } = this.#parts;
    try {
      const outcome = await evaluator.evaluate(
        { workspace, overlay, scope: 'workspace', timeoutMs, against: 'beneath', caller: 'proposal' },
        signal,
      );
      if (outcome.kind === 'evaluated') return checkedVerdict(outcome);
      return { kind: 'unknown', why: [`${outcome.paths.join(', ')} changed on disk meanwhile.`] };
    } catch (thrown) {
      if (signal.aborted || !(thrown instanceof Failure))
        return { kind: 'unknown', why: ['The check was stopped.'] };
      return { kind: 'unknown', why: [thrown.message] };
    }
  }
}

const checking: AgentVerdict = { kind: 'checking' };

const nothingAccepted: AgentVerdict = { kind: 'unknown', why: ['Nothing was accepted yet.'] };

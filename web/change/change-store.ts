/**
 * What git says of the workspace, the message of the next commit, and what can be done with the changes.
 *
 * Invariants: a verdict is shown for exactly the state it was asked about; as soon as a text, the disk or the index changes it
 * is being checked again. Nothing is judged while no page shows it.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { GitChange, GitStatus } from '../../src/editor/protocol/git.ts';
import { counted } from '../../src/text/counted-noun.ts';
import { failureOf } from '../link/page-link.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import { nameOf } from '../shell/place.ts';
import { changeMarkOf, type PartVerdict } from './change-text.ts';

export type RepositoryStatus = Extract<GitStatus, { readonly kind: 'repository' }>;
export type CommitPart = 'staged' | 'all';

/** Shorter than this, a verdict would be asked for with every key. */
const pauseMs = 400;

const unread: GitStatus = { kind: 'unread' };

export class ChangeStore {
  readonly #page: Page;
  readonly #status = signal<GitStatus>(unread);
  /** Grows with every change of a text in a buffer. */
  readonly #texts = signal(0);
  readonly #verdicts = signal<Readonly<Record<CommitPart, PartVerdict>>>({
    staged: { kind: 'checking' },
    all: { kind: 'checking' },
  });
  readonly message = signal('');
  readonly isCommitting = signal(false);

  constructor(page: Page) {
    this.#page = page;
    page.link.onSnapshot(({ git = unread }) => this.#take(git));
    page.link.on('git.changed', ({ status }) => this.#take(status));
    page.link.on('buffer.updated', () => {
      this.#texts.value += 1;
    });
  }

  get status(): ReadonlySignal<GitStatus> {
    return this.#status;
  }

  get verdicts(): ReadonlySignal<Readonly<Record<CommitPart, PartVerdict>>> {
    return this.#verdicts;
  }

  readonly repository: ReadonlySignal<RepositoryStatus | undefined> = computed(() => {
    const status = this.#status.value;
    return status.kind === 'repository' ? status : undefined;
  });

  /** Differs whenever a verdict may be another one. */
  readonly moment: ReadonlySignal<string> = computed(
    () => `${this.repository.value?.revision ?? 0} ${this.#texts.value}`,
  );

  /** Files with a change, each once. */
  readonly paths: ReadonlySignal<ReadonlySet<string>> = computed(() => {
    const { staged, unstaged } = this.repository.value ?? {};
    return new Set([...(staged?.entries ?? []), ...(unstaged?.entries ?? [])].map(({ path }) => path));
  });

  /** Judges both parts after a pause; the returned function gives up. */
  judge(): () => void {
    const abort = new AbortController();
    this.#verdicts.value = { staged: { kind: 'checking' }, all: { kind: 'checking' } };
    const timer = setTimeout(() => {
      for (const part of ['staged', 'all'] as const) void this.#judgePart(part, abort.signal);
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }

  /** Asks git again; what it says arrives as an event. */
  async refresh(): Promise<void> {
    await this.#page.link.request('git.status', {}, neverAborts);
  }

  open(path: string, against: 'head' | 'index'): void {
    const title = `${nameOf(path)} (${against === 'head' ? 'staged' : 'changes'})`;
    this.#page.tabs.open({ type: 'change', key: `${against} ${path}`, title, isPreview: true });
  }

  /** Git takes files as they are on disk: unsaved ones are saved first, with their verdict. */
  stage(paths: readonly string[]): void {
    this.#page.run(async () => {
      if (await this.#saved(paths))
        await this.#page.link.request('git.stage', { paths: [...paths] }, neverAborts);
    });
  }

  unstage(paths: readonly string[]): void {
    this.#page.run(() => this.#page.link.request('git.unstage', { paths: [...paths] }, neverAborts));
  }

  discard(changes: readonly GitChange[]): void {
    this.#page.run(async () => {
      if (changes.length === 0 || !(await this.#mayDiscard(changes))) return;
      const paths = changes.map(({ path }) => path);
      const { whatIf } = await this.#page.link.request('git.discard', { paths }, neverAborts);
      this.#page.toasts.show({
        title: `Discarded the changes of ${filesWord(paths)}.`,
        detail: 'They are kept as a what-if.',
        ...(whatIf !== undefined && {
          action: {
            title: 'Show',
            run: () => this.#page.tabs.open({ type: 'what-if', key: whatIf, title: 'Discarded' }),
          },
        }),
      });
    });
  }

  commit(part: CommitPart): void {
    this.#page.run(async () => {
      const message = this.message.peek().trim();
      if (message === '' || this.isCommitting.peek() || !(await this.#mayCommit(part))) return;
      if (part === 'all' && !(await this.#saved([...this.paths.peek()]))) return;
      this.isCommitting.value = true;
      try {
        const made = await this.#page.link.request('git.commit', { message, part }, neverAborts);
        this.message.value = '';
        this.#page.toasts.show({
          title: `Committed ${counted(made.files, 'file')} as ${made.commit.slice(0, 7)}.`,
          icon: 'check',
          ...(made.hooks === 'withheld' && { detail: 'Its hooks did not run: this folder is not trusted.' }),
        });
      } finally {
        this.isCommitting.value = false;
      }
    });
  }

  #take(status: GitStatus): void {
    this.#status.value = status;
    const repository = this.repository.peek();
    this.#page.branch.value = repository?.branch ?? repository?.head?.slice(0, 7);
    const entries = [...(repository?.staged.entries ?? []), ...(repository?.unstaged.entries ?? [])];
    this.#page.gitMarks.value = new Map(entries.map(({ path, kind }) => [path, changeMarkOf(kind)]));
  }

  async #judgePart(part: CommitPart, signal: AbortSignal): Promise<void> {
    const show = (verdict: PartVerdict): void => {
      if (!signal.aborted) this.#verdicts.value = { ...this.#verdicts.peek(), [part]: verdict };
    };
    try {
      const { evaluation } = await this.#page.link.request('git.judge', { part }, signal);
      show(evaluation ? { kind: 'checked', evaluation } : { kind: 'nothing' });
    } catch (thrown) {
      const failure = failureOf(thrown);
      if (failure) show({ kind: 'failed', message: failure.message });
    }
  }

  /** Whether these files have no unsaved text any more. */
  async #saved(paths: readonly string[]): Promise<boolean> {
    const open = this.#page.buffers.unsaved.peek();
    const unsaved = paths.filter((path) => open.includes(path));
    return unsaved.length === 0 || (await this.#page.save(unsaved)) === 'saved';
  }

  async #mayDiscard(changes: readonly GitChange[]): Promise<boolean> {
    const [first] = changes;
    const what = changes.length === 1 && first ? nameOf(first.path) : counted(changes.length, 'file');
    const isNew = changes.every(({ kind }) => kind === 'untracked');
    const { answer } = await this.#page.dialogs.ask({
      title: isNew ? `Delete ${what}?` : `Discard the changes of ${what}?`,
      body: 'What is there now is kept as a what-if.',
      choices: [
        { answer: 'discard', title: isNew ? 'Delete' : 'Discard' },
        { answer: 'keep', title: 'Keep', look: 'primary' },
      ],
      safe: 'keep',
    });
    return answer === 'discard';
  }

  async #mayCommit(part: CommitPart): Promise<boolean> {
    const verdict = this.#verdicts.peek()[part];
    if (verdict.kind !== 'checked' || verdict.evaluation.verdict.kind !== 'broken') return true;
    const { answer } = await this.#page.dialogs.ask({
      title: `This commit breaks ${counted(verdict.evaluation.verdict.in.length, 'file')}`,
      body: verdict.evaluation.verdict.in.map(nameOf).join(', '),
      choices: [
        { answer: 'commit', title: 'Commit anyway' },
        { answer: 'stop', title: 'Do not commit', look: 'primary' },
      ],
      safe: 'stop',
    });
    return answer === 'commit';
  }
}

function filesWord(paths: readonly string[]): string {
  const [only] = paths;
  return paths.length === 1 && only !== undefined ? nameOf(only) : counted(paths.length, 'file');
}

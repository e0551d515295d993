/**
 * The agent as this page shows it, and what the user does with it.
 *
 * Invariant: what is shown of the conversation is what the back end said; only the draft of the next message, and what is
 * folded, belong to the page.
 */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type {
  AgentMention,
  AgentMode,
  AgentProposal,
  AgentState,
  ProposalFile,
  ProposalHunk,
} from '../../src/editor/protocol/agent.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import { type AgentView, agentAfter } from './agent-view.ts';
import { FocusFollower } from './focus-follower.ts';

export type Decision = ProposalHunk['decision'];

export class AgentStore {
  readonly page: Page;
  readonly focus: FocusFollower;
  readonly #view = signal<AgentView | undefined>(undefined);
  readonly draft = signal('');
  readonly mentions = signal<readonly AgentMention[]>([]);
  /** The user took the focused file off the next message. */
  readonly isFocusLeftOut = signal(false);
  /** The hunk that the review is at. */
  readonly hunkAt = signal<string | undefined>(undefined);

  constructor(page: Page) {
    this.page = page;
    this.focus = new FocusFollower(page);
    page.link.onSnapshot(({ agent }) => {
      this.#view.value = agent;
    });
    const kinds = [
      'agent.state',
      'agent.items',
      'agent.item',
      'agent.text',
      'agent.gone',
      'agent.proposal',
    ] as const;
    for (const kind of kinds) {
      page.link.on(kind, (event) => {
        const view = this.#view.peek();
        if (view) this.#view.value = agentAfter(view, event);
      });
    }
    page.link.on('agent.reveal', ({ path, line = 0 }) =>
      page.openFile(path, { at: { path, line, character: 0 } }),
    );
  }

  get view(): ReadonlySignal<AgentView | undefined> {
    return this.#view;
  }

  readonly state: ReadonlySignal<AgentState | undefined> = computed(() => this.#view.value?.state);
  readonly proposal: ReadonlySignal<AgentProposal | undefined> = computed(() => this.#view.value?.proposal);

  readonly openHunks: ReadonlySignal<readonly ProposalHunk[]> = computed(() =>
    hunksOf(this.proposal.value).filter(({ decision }) => decision.kind === 'open'),
  );

  type(text: string): void {
    this.draft.value = text;
    if (this.state.peek()?.suggestion) this.#ask('agent.typed', { text });
  }

  send(): void {
    const text = this.draft.peek().trim();
    if (text === '' || this.state.peek()?.isRunning === true) return;
    const mentions = this.mentions.peek().filter((mention) => text.includes(`@${labelOf(mention)}`));
    const focus = this.isFocusLeftOut.peek() ? 'left-out' : 'along';
    const { page } = this;
    page.run(async () => {
      // The agent sees what was typed until now, and where. A focus that is not reported is no reason to keep the message.
      await this.focus.flush().catch(() => undefined);
      for (const { path } of page.editors.shown.peek()) await page.buffers.document(path)?.flush(neverAborts);
      await page.link.request('agent.send', { text, mentions: [...mentions], focus }, neverAborts);
      batch(() => {
        this.draft.value = '';
        this.mentions.value = [];
        this.isFocusLeftOut.value = false;
      });
    });
  }

  /** Puts the suggestion into the prompt; nothing if something is written there already. */
  fill(): boolean {
    const suggestion = this.state.peek()?.suggestion;
    if (!suggestion || this.draft.peek() !== '') return false;
    this.draft.value = suggestion.text;
    return true;
  }

  stop(): void {
    this.#ask('agent.stop', {});
  }

  setMode(mode: AgentMode): void {
    const { page } = this;
    if (mode !== 'bypassPermissions') {
      this.#ask('agent.mode', { mode });
      return;
    }
    page.run(async () => {
      const { answer } = await page.dialogs.ask({
        title: 'Allow everything?',
        body: 'Files are edited and commands are run without asking, with your rights.',
        choices: [
          { answer: 'no', title: 'Keep asking', look: 'primary' },
          { answer: 'yes', title: 'Allow everything', look: 'danger' },
        ],
        safe: 'no',
      });
      if (answer === 'yes') await page.link.request('agent.mode', { mode }, neverAborts);
    });
  }

  answer(question: string, answer: 'once' | 'always' | 'no'): void {
    this.#ask('agent.answer', { question, answer });
  }

  decide(hunks: readonly ProposalHunk[], decision: Decision): void {
    if (hunks.length === 0) return;
    this.#ask('agent.decide', { decisions: hunks.map(({ id }) => ({ hunk: id, decision })) });
  }

  dismiss(): void {
    this.#ask('agent.dismiss', {});
  }

  suggest(choice: 'on' | 'off'): void {
    this.#ask('agent.suggest', { choice });
  }

  begin(): void {
    this.#ask('agent.new', {});
  }

  open(id: string): void {
    this.#ask('agent.open', { id });
  }

  look(name?: string): void {
    this.#ask('agent.model', name === undefined ? {} : { name });
  }

  review(file?: ProposalFile): void {
    const [hunk] = file?.hunks ?? this.openHunks.peek();
    if (hunk) this.hunkAt.value = hunk.id;
    this.page.tabs.open({ type: 'proposal', key: 'proposal', title: 'Proposal' });
  }

  #ask<Name extends Parameters<Page['link']['request']>[0]>(
    method: Name,
    params: Parameters<typeof this.page.link.request<Name>>[1],
  ): void {
    const { page } = this;
    page.run(() => page.link.request(method, params, neverAborts));
  }
}

export function labelOf(mention: AgentMention): string {
  return mention.kind === 'file' ? mention.path : mention.name;
}

export function hunksOf(proposal: AgentProposal | undefined): readonly ProposalHunk[] {
  return (proposal?.files ?? []).flatMap(({ hunks }) => hunks);
}

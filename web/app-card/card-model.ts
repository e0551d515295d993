/**
 * What the card shows and what its buttons do.
 *
 * Invariants: a button that writes is pressed once; until its answer is there the others are off. What a tool answers
 * replaces what was shown. A change that broke something is written only after a second press.
 */
import { signal } from '@preact/signals';
import { type CardChange, cardKey, readCard, type WhatIfCard } from '../../src/tools/what-if/what-if-card.ts';
import type { CardToolResult, HostLink } from './host-link.ts';

export type CardState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'shown'; readonly card: WhatIfCard }
  | { readonly kind: 'ended'; readonly title: string; readonly words: string }
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'base-changed';
      readonly title: string;
      readonly message: string;
      readonly change: CardChange;
    }
  | { readonly kind: 'failed'; readonly message: string };

export class CardModel {
  readonly state = signal<CardState>({ kind: 'waiting' });
  readonly isBusy = signal(false);
  /** The id of the way whose details are open in a ranked card. */
  readonly opened = signal<string | undefined>(undefined);
  /** The change whose commit must be confirmed. */
  readonly confirming = signal<CardChange | undefined>(undefined);
  #link: Pick<HostLink, 'callTool' | 'say'> | undefined;
  #given: Readonly<Record<string, unknown>> = {};

  attach(link: Pick<HostLink, 'callTool' | 'say'>): void {
    this.#link = link;
  }

  input(given: Readonly<Record<string, unknown>>): void {
    this.#given = given;
  }

  result(result: CardToolResult): void {
    const card = readCard(result._meta?.[cardKey]);
    if (card) this.state.value = { kind: 'shown', card };
    else if (result.isError === true) this.#failed(result);
    else this.state.value = { kind: 'ended', title: 'What if', words: firstText(result).slice(0, 200) };
  }

  cancelled(): void {
    this.state.value = { kind: 'ended', title: 'What if', words: 'Cancelled.' };
  }

  commit(change: CardChange): void {
    if (change.verdict === 'broken' && this.confirming.value !== change) {
      this.confirming.value = change;
      return;
    }
    this.confirming.value = undefined;
    this.#run(async (link) => {
      const session_id = change.sessionId ?? (await this.#keep(link, change));
      if (session_id === undefined) return;
      const result = await link.callTool('commit_session', {
        session_id,
        apply: true,
        patch_format: 'unified',
      });
      if (result.isError !== true) return this.result(result);
      const message = firstText(result);
      if (/session not found/.test(message)) this.state.value = { kind: 'gone' };
      else if (/conflict: changed on disk/.test(message)) {
        this.state.value = { kind: 'base-changed', title: change.title, message, change };
      } else this.#failed(result);
    });
  }

  discard(changes: readonly CardChange[]): void {
    this.#run(async (link) => {
      for (const { sessionId } of changes) {
        if (sessionId !== undefined) await link.callTool('discard_session', { session_id: sessionId });
      }
      const [first] = changes;
      const title = changes.length === 1 ? (first?.title ?? '') : `${changes.length} ways`;
      this.state.value = { kind: 'ended', title, words: 'Discarded. Nothing was written.' };
    });
  }

  undo(title: string): void {
    this.#run(async (link) => {
      const result = await link.callTool('undo_last_commit', {});
      if (result.isError === true) return this.#failed(result);
      this.state.value = { kind: 'ended', title, words: 'Undone. The files are as before.' };
    });
  }

  askForFix({ title, findings, introducedErrors }: CardChange): void {
    const listed = findings
      .slice(0, 5)
      .map(({ path, line, column, message }) => `${path}:${line}:${column} ${message}`);
    this.#run((link) =>
      link.say(
        `“${title}” introduces ${introducedErrors} errors. Fix them before it is written:\n${listed.join('\n')}`,
      ),
    );
  }

  askToRepeat({ title }: CardChange, message: string): void {
    this.#run((link) =>
      link.say(`“${title}” was not written: ${message}. Make it again on the new text and check it.`),
    );
  }

  /**
   * A change that is kept nowhere is made again in a session. It is written only if it is still the one that is shown;
   * otherwise the new one is shown instead.
   */
  async #keep(link: Pick<HostLink, 'callTool'>, change: CardChange): Promise<string | undefined> {
    const created = await link.callTool('create_simulation_session', {
      workspace_root: change.workspaceRoot,
      language: change.language,
      title: change.title,
    });
    if (created.isError === true) return this.#failed(created);
    const session_id = sessionIdOf(created);
    const again = await link.callTool('preview_edit', { ...this.#given, scope: 'workspace', session_id });
    const card = readCard(again._meta?.[cardKey]);
    const isSame =
      card?.kind === 'change' &&
      JSON.stringify(card.change.files) === JSON.stringify(change.files) &&
      card.change.verdict === change.verdict;
    if (isSame) return session_id;
    this.result(again);
    return undefined;
  }

  #failed(result: CardToolResult): undefined {
    const message = firstText(result);
    this.state.value = /session not found/.test(message) ? { kind: 'gone' } : { kind: 'failed', message };
  }

  #run(work: (link: Pick<HostLink, 'callTool' | 'say'>) => Promise<unknown>): void {
    const link = this.#link;
    if (!link || this.isBusy.value) return;
    this.isBusy.value = true;
    work(link)
      .catch((thrown: unknown) => {
        this.state.value = {
          kind: 'failed',
          message: thrown instanceof Error ? thrown.message : String(thrown),
        };
      })
      .finally(() => {
        this.isBusy.value = false;
      });
  }
}

function firstText({ content }: CardToolResult): string {
  return content[0]?.text ?? '';
}

function sessionIdOf(result: CardToolResult): string {
  const parsed: unknown = JSON.parse(firstText(result));
  const id = typeof parsed === 'object' && parsed !== null && 'session_id' in parsed ? parsed.session_id : '';
  return String(id);
}

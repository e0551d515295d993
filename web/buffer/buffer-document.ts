/**
 * The text of one open file in this page, in step with the back end and with every view of it.
 *
 * Invariants: every attached view shows the same text as the document, at every moment. Changes of the page reach the back
 * end in the order they were made, at most one push at a time; changes of others are rebased under those not yet accepted.
 * Nothing typed is lost while the page is offline: it is pushed after the reconnect.
 */
import { collab, getClientID, getSyncedVersion, receiveUpdates, sendableUpdates } from '@codemirror/collab';
import { Annotation, ChangeSet, EditorState, Transaction, type TransactionSpec } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type ReadonlySignal, signal } from '@preact/signals';
import type { GivenParamsOf, ResultOf } from '../../src/editor/protocol.ts';
import { failureOf, type PageLink } from '../link/page-link.ts';

/** What it needs of the connection. */
export type BufferLink = Pick<PageLink, 'page' | 'request' | 'state'>;

export type WireUpdate = ResultOf<'buffer.pull'>['updates'][number];

/** Marks a transaction that brings a view in step with the document. */
const inStep = Annotation.define<true>();

export class BufferDocument {
  #path: string;
  readonly #link: BufferLink;
  readonly #views = new Set<EditorView>();
  /** States of views that are gone and may come back. */
  readonly #followers = new Set<{ state: EditorState }>();
  readonly #version = signal(0);
  #state: EditorState;
  #pushing: Promise<void> | undefined;
  #waiters: { readonly resolve: () => void; readonly reject: (reason: unknown) => void }[] = [];
  /** How often the text changed in this page, by the user or by others. */
  #changes = 0;

  constructor(link: BufferLink, path: string, opened: { readonly text: string; readonly version: number }) {
    this.#link = link;
    this.#path = path;
    this.#state = this.#stateOf(opened.text, opened.version);
    this.#version.value = opened.version;
  }

  /** Its file may get another name. */
  get path(): string {
    return this.#path;
  }

  get state(): EditorState {
    return this.#state;
  }

  /** The last version of the back end that this text contains. */
  get version(): ReadonlySignal<number> {
    return this.#version;
  }

  /** Grows with every change of the text: an answer made for another count is about another text. */
  get changeCount(): number {
    return this.#changes;
  }

  /** Whether the back end has exactly this text. */
  get isInStep(): boolean {
    return sendableUpdates(this.#state).length === 0;
  }

  /** `view` must show the text of the document; it is kept in step until it is detached. */
  attach(view: EditorView): () => void {
    this.#views.add(view);
    return () => this.#views.delete(view);
  }

  /** Keeps a state without a view in step until it is stopped. */
  follow(first: EditorState): { readonly state: () => EditorState; readonly stop: () => void } {
    const follower = { state: first };
    this.#followers.add(follower);
    return { state: () => follower.state, stop: () => this.#followers.delete(follower) };
  }

  /** What a view dispatches goes through here. */
  dispatch(view: EditorView, transactions: readonly Transaction[]): void {
    view.update(transactions);
    for (const transaction of transactions) {
      if (transaction.docChanged && transaction.annotation(inStep) !== true) this.#take(transaction, view);
    }
  }

  /** Changes the text from outside of a view, such as by a command. */
  change(spec: TransactionSpec): void {
    const [view] = this.#views;
    if (view !== undefined) view.dispatch(spec);
    else this.#take(this.#state.update(spec), undefined);
  }

  #take(transaction: Transaction, source: EditorView | undefined): void {
    this.#state = this.#state.update({ changes: transaction.changes, annotations: inStep.of(true) }).state;
    this.#changes += 1;
    this.#show(transaction.changes, source);
    this.#push();
  }

  #show(changes: ChangeSet, except: EditorView | undefined): void {
    const annotations = [inStep.of(true), Transaction.addToHistory.of(false)];
    for (const view of this.#views) {
      if (view !== except) view.update([view.state.update({ changes, annotations })]);
    }
    for (const follower of this.#followers) {
      follower.state = follower.state.update({ changes, annotations }).state;
    }
  }

  /** Updates that the back end accepted, from anyone; `version` is that after them. */
  receive(version: number, updates: readonly WireUpdate[]): void {
    const synced = getSyncedVersion(this.#state);
    if (version <= synced) return;
    const known = synced - (version - updates.length);
    if (known < 0) {
      this.#pull();
      return;
    }
    const missing = updates.slice(known).map(({ client, changes }) => ({
      clientID: client,
      changes: ChangeSet.fromJSON(changes),
    }));
    const transaction = receiveUpdates(this.#state, missing);
    this.#state = transaction.state;
    this.#version.value = getSyncedVersion(this.#state);
    if (transaction.docChanged) {
      this.#changes += 1;
      this.#show(transaction.changes, undefined);
    }
    if (this.isInStep) this.#settle();
  }

  /** Resolves when the back end has everything that was typed before the call. */
  flush(signal: AbortSignal): Promise<void> {
    if (this.isInStep) return Promise.resolve();
    this.#push();
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#waiters.push({ resolve, reject });
    });
  }

  /** The file has another name now; the text and what was not yet sent of it stay. */
  movedTo(path: string): void {
    this.#path = path;
    this.#push();
  }

  /** After a reconnect: fetches what was missed and pushes what was typed meanwhile. */
  resume(): void {
    this.#pull();
  }

  #settle(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { resolve } of waiters) resolve();
  }

  #push(): void {
    if (this.#pushing !== undefined || this.isInStep || this.#link.state.peek().kind !== 'online') return;
    this.#pushing = this.#pushOnce().then(
      () => {
        this.#pushing = undefined;
        this.#push();
      },
      (thrown: unknown) => {
        this.#pushing = undefined;
        this.#pushFailed(thrown);
      },
    );
  }

  async #pushOnce(): Promise<void> {
    const { path } = this;
    const version = getSyncedVersion(this.#state);
    const updates = sendableUpdates(this.#state).map(({ changes, clientID }) => ({
      client: clientID,
      changes: changes.toJSON() as unknown,
    }));
    const batch = updates.slice(0, 500);
    const kind = await this.#pushed({ path, version, updates: batch });
    // The events with the accepted or missed updates came before the answer, on the same socket.
    if (kind === 'behind' && getSyncedVersion(this.#state) === version) await this.#pullOnce();
    if (kind === 'accepted' && getSyncedVersion(this.#state) === version) await this.#pullOnce();
  }

  async #pushed(params: GivenParamsOf<'buffer.push'>): Promise<'accepted' | 'behind' | 'elsewhere'> {
    try {
      return (await this.#link.request('buffer.push', params, never)).kind;
    } catch (thrown) {
      // The file got another name while this was on its way; it is sent again under the new one.
      if (failureOf(thrown)?.code === 'editor/not-open' && this.#path !== params.path) return 'elsewhere';
      throw thrown;
    }
  }

  /** A push that failed is not repeated by itself: that could go on for ever. */
  #pushFailed(thrown: unknown): void {
    const code = failureOf(thrown)?.code;
    // Offline: the reconnect pushes again.
    if (code === 'link/lost') return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(thrown);
    // Closed while this page was away: once it is open again, `resume` pushes.
    if (code === 'editor/not-open') return;
    throw thrown;
  }

  #pull(): void {
    this.#pullOnce().then(
      () => this.#push(),
      () => undefined,
    );
  }

  async #pullOnce(): Promise<void> {
    const asked = getSyncedVersion(this.#state);
    const { version, updates, text } = await this.#link.request(
      'buffer.pull',
      { path: this.path, version: asked },
      never,
    );
    if (text === undefined) this.receive(version, updates);
    else this.#reset(text, version);
  }

  /** The back end no longer has what lies between: its text is taken, and what was typed here is put over it. */
  #reset(text: string, version: number): void {
    const typed = this.isInStep ? undefined : this.#state.doc.toString();
    const before = this.#state.doc;
    this.#state = this.#stateOf(text, version);
    this.#version.value = version;
    this.#changes += 1;
    this.#show(ChangeSet.of({ from: 0, to: before.length, insert: text }, before.length), undefined);
    if (typed !== undefined && typed !== text) {
      this.change({ changes: { from: 0, to: this.#state.doc.length, insert: typed } });
    }
    this.#settle();
  }

  #stateOf(text: string, version: number): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        collab({ startVersion: version, clientID: this.#link.page }),
        EditorState.allowMultipleSelections.of(true),
      ],
    });
  }

  get clientId(): string {
    return getClientID(this.#state);
  }
}

const never = new AbortController().signal;

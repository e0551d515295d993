/**
 * One running server and the overlay it shows, its state as a member of a pool, and its end when it was idle for too
 * long, least recently used first.
 *
 * Invariants: only its holder (see ServerPool) changes what it shows; nothing here locks. Changes on disk are reported to
 * the server before it is shown anything again. A member is used by one holder, or by the pool, or it is idle. There is
 * at most one timer for retirement per pool, and it does not keep the process running.
 */
import { notifyFileEvents, type WatchedFileEvent } from '../../lsp/feature/watched-file.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import type { WorkspaceFolder } from '../../lsp/server-options.ts';
import { type FileEvent, joinEvent } from '../../workspace/file-event.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { GoPlatform } from '../go/build-constraint.ts';
import { noEffect, type OverlayEffect, type Projection } from '../projection.ts';
import type { ServerDefinition } from '../server-definition.ts';
import type { ServerEdits } from '../server-edits.ts';
import type { ShownSite, Site } from '../server-site.ts';
import type { Projects } from '../typescript/typescript-projects.ts';
import { DocumentAnswers } from './document-answers.ts';
import type { GovernedServer } from './governor.ts';

/** How a replica runs, fixed for its life. */
export interface ReplicaSetup {
  readonly mode: 'buffers' | 'mounted' | 'copied';
  /** Whether other clients use the server too, so that no overlay may remain in it after a lease. */
  readonly isShared?: boolean;
  /** Whether a broker keeps the server; the broker isolates our overlays from those of its other clients. */
  readonly isBrokered?: boolean;
  /** Whether a directory that it searches if it is there at its start was missing then. */
  readonly lacksSourceRoot?: boolean;
  /** The environment the server runs in; disposed after the server. */
  readonly site: Site;
  /** The same site, if overlays are shown as files. */
  readonly shown?: ShownSite;
  /** The target platform of builds, for languages where it excludes files. */
  readonly platform?: GoPlatform | undefined;
}

export interface ReplicaParts extends ReplicaSetup {
  readonly server: LanguageServer;
  readonly definition: ServerDefinition;
  readonly projection: Projection;
  /** Receives the edits the server requests. */
  readonly edits: ServerEdits;
  /** The projects of the shown files; absent if the server has no notion of projects. */
  readonly projects?: Projects | undefined;
}

export class Replica implements AsyncDisposable {
  readonly server: LanguageServer;
  readonly definition: ServerDefinition;
  readonly projection: Projection;
  readonly edits: ServerEdits;
  readonly projects: Projects | undefined;
  readonly setup: ReplicaSetup;
  readonly answers: DocumentAnswers;
  readonly unheard = new UnheardChanges();
  /** The file whose diagnostics were last requested. A new replica is warmed up with it. */
  lastAsked: WorkspacePath | undefined;
  #shownAtSequence = 0;
  #showsOverlay = false;

  constructor(parts: ReplicaParts) {
    this.server = parts.server;
    this.definition = parts.definition;
    this.projection = parts.projection;
    this.edits = parts.edits;
    this.projects = parts.projects;
    this.setup = parts;
    this.answers = new DocumentAnswers(parts.server.documents);
  }

  /** The publication counter when the current overlay was shown; earlier publications are about another text. */
  get shownAtSequence(): number {
    return this.#shownAtSequence;
  }

  /** Whether anything but the disk is shown. */
  get showsOverlay(): boolean {
    return this.#showsOverlay;
  }

  async show(effect: OverlayEffect): Promise<void> {
    this.#shownAtSequence = this.server.publications.sequence;
    if (!this.unheard.isEmpty) await this.#report();
    this.#showsOverlay = effect.size > 0;
    await this.projection.show(effect);
  }

  /** Shows the disk without an overlay; does not wait for the server to process the change. */
  async showDisk(): Promise<void> {
    await this.show(noEffect);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.projects?.[Symbol.dispose]();
    await this.server[Symbol.asyncDispose]();
    await this.setup.site[Symbol.asyncDispose]();
  }

  async #report(): Promise<void> {
    const { disk, outside, folders } = this.unheard.take();
    if (folders) this.server.setAddedFolders(folders);
    notifyFileEvents(this.server, outside);
    if (disk.length > 0) await this.projection.diskChanged(disk);
  }
}

interface Changes {
  readonly disk: readonly FileEvent[];
  readonly outside: readonly WatchedFileEvent[];
  readonly folders: readonly WorkspaceFolder[] | undefined;
}

/** What a server was not told yet. There is at most one event per path of the workspace, however long it is idle. */
class UnheardChanges {
  #disk = new Map<WorkspacePath, FileEvent>();
  #outside: WatchedFileEvent[] = [];
  #folders: readonly WorkspaceFolder[] | undefined;

  get isEmpty(): boolean {
    return this.#disk.size === 0 && this.#outside.length === 0 && this.#folders === undefined;
  }

  addDisk(events: readonly FileEvent[]): void {
    for (const event of events) joinEvent(this.#disk, event);
  }

  /** Events of files outside the workspace. */
  addOutside(events: readonly WatchedFileEvent[]): void {
    for (const event of events) this.#outside.push(event);
  }

  /** The folders besides the workspace itself. */
  setFolders(added: readonly WorkspaceFolder[]): void {
    this.#folders = added;
  }

  take(): Changes {
    const changes = { disk: [...this.#disk.values()], outside: this.#outside, folders: this.#folders };
    this.#disk = new Map();
    this.#outside = [];
    this.#folders = undefined;
    return changes;
  }
}

/** `attended`: the pool itself uses it, to warm it up or to show it the disk again. */
type MemberState = 'idle' | 'held' | 'attended';

/** A replica and its state in a pool. */
export class PoolMember implements GovernedServer {
  readonly replica: Replica;
  readonly startedAt: number;
  /** When a caller last released it; before the first release, when it started. */
  usedAt: number;
  state: MemberState = 'attended';
  /** Whether it is to be ended as soon as its user is done. */
  isOutdated = false;
  /** The timer after which it is shown the disk again. */
  rest: NodeJS.Timeout | undefined;

  constructor(replica: Replica, startedAt: number) {
    this.replica = replica;
    this.startedAt = startedAt;
    this.usedAt = startedAt;
  }

  get pid(): number | undefined {
    return this.replica.server.pid;
  }

  get isIdle(): boolean {
    return this.state === 'idle';
  }

  /** Marks it as used. */
  take(state: 'held' | 'attended'): void {
    clearTimeout(this.rest);
    this.rest = undefined;
    this.state = state;
  }
}

export interface IdleLimits {
  /** For a replica that is not the only one of its pool. */
  readonly spareMs: number;
  /** For the only replica: after it is ended, the next caller must wait for a start. */
  readonly lastMs: number;
}

const minute = 60_000;
const defaultLimits: IdleLimits = { spareMs: 5 * minute, lastMs: 15 * minute };

/** Ends replicas that were idle for too long. */
export class Retirement implements Disposable {
  readonly #members: ReadonlySet<PoolMember>;
  readonly #limits: IdleLimits;
  readonly #retire: (member: PoolMember) => void;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(
    members: ReadonlySet<PoolMember>,
    retire: (member: PoolMember) => void,
    limits: IdleLimits = defaultLimits,
  ) {
    this.#members = members;
    this.#retire = retire;
    this.#limits = limits;
  }

  /** Call when a member becomes idle. */
  plan(): void {
    if (this.#timer || this.#isOver) return;
    const next = this.#longestIdle();
    if (!next) return;
    const inMs = Math.max(1, next.dueAt - performance.now());
    this.#timer = setTimeout(() => this.#wake(), inMs).unref();
  }

  /** Call when a member was added or removed, which changes the limit for the others. */
  planAnew(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.plan();
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #wake(): void {
    this.#timer = undefined;
    const next = this.#longestIdle();
    if (next && next.dueAt <= performance.now()) this.#retire(next.member);
    this.plan();
  }

  /** Servers shared with other clients are not ours to end. */
  #longestIdle(): { readonly member: PoolMember; readonly dueAt: number } | undefined {
    let longest: PoolMember | undefined;
    for (const member of this.#members) {
      if (!member.isIdle || member.replica.setup.isShared) continue;
      if (longest === undefined || member.usedAt < longest.usedAt) longest = member;
    }
    const { spareMs, lastMs } = this.#limits;
    return (
      longest && { member: longest, dueAt: longest.usedAt + (this.#members.size > 1 ? spareMs : lastMs) }
    );
  }
}

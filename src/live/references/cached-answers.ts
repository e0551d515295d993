/**
 * Cached references and outlines of one workspace.
 *
 * A lookup begins with `about`, which checks every file the server could read. An answer is stored if all its
 * dependencies are unchanged after it was given.
 *
 * Invariants: an answer is returned only while all its dependencies are unchanged (see `answer-dependencies.ts`). An
 * answer is not stored if the server showed anything but the disk, or may not have processed a change yet.
 */
import { realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '../../base/errno.ts';
import { messageOf } from '../../base/failure.ts';
import type { Log } from '../../base/log.ts';
import { isConfigFile } from '../../graph/reach/reach-family.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import { serves } from '../../servers/file-relevance.ts';
import type { LanguageId } from '../../servers/language.ts';
import type { Lease } from '../../servers/lease.ts';
import type { ServerDefinition } from '../../servers/server-definition.ts';
import type { LocatedServer } from '../../servers/server-register.ts';
import { sha256 } from '../../storage/hash.ts';
import { ReferenceCache } from '../../storage/reference-cache.ts';
import { workspaceKey } from '../../storage/workspace-key.ts';
import { stampAt } from '../../workspace/disk-state.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { WorkspaceFolders } from '../disk-watch.ts';
import type { ServerLender } from '../server-lender.ts';
import { AnswerDependencies, type Dependencies, ImportGraph } from './answer-dependencies.ts';
import { ExternalInputs, isReadBy, isSurveyable } from './external-inputs.ts';
import { FileInventory, recentMs } from './file-inventory.ts';

export interface CachedAnswersOptions {
  readonly workspace: Workspace;
  /** Where caches lie, each in a directory of its own; absent: nothing is cached. */
  readonly cacheDirectory?: string | undefined;
  /** Whether other processes use the same servers, so that one may have started before this process. */
  readonly servers: 'own' | 'shared';
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

/** The servers whose answers are cached, and the folders they work on. */
export interface AskedServers {
  readonly servers: ServerLender;
  readonly folders: WorkspaceFolders;
}

/** What an answer is about, and so what it depends on: the references of a name, or the text of one file. */
export type Subject =
  | { readonly kind: 'uses'; readonly name: string | undefined }
  | { readonly kind: 'text'; readonly path: WorkspacePath };

export interface KnownAnswer {
  readonly value: string;
  readonly fingerprint: string;
}

export class CachedAnswers implements AsyncDisposable {
  readonly #options: CachedAnswersOptions;
  readonly #asked: AskedServers;
  readonly #watches = new Map<string, DependencyTracker>();
  readonly #sinceMs: number;
  #cache: Promise<ReferenceCache | undefined> | undefined;

  constructor(options: CachedAnswersOptions, asked: AskedServers) {
    this.#options = options;
    this.#asked = asked;
    // This is created before any server of our own. A shared server exits when it is idle for a while, so it is
    // assumed to be no older than this.
    this.#sinceMs = Date.now() - (options.servers === 'shared' ? oldestSharedMs : 0);
  }

  /**
   * The current cache of a language. Undefined if the dependencies of the server's answers are not known: unsaved
   * text, folders besides the workspace, a server that another program started.
   */
  async about(overlay: Overlay, language: LanguageId, signal: AbortSignal): Promise<CacheLookup | undefined> {
    const cache = await this.cache(signal);
    if (!cache) return undefined;
    const { located, effect } = await this.#asked.servers.planProjection(overlay, { language }, signal);
    const { definition, command } = located;
    const isOutside = effect.size > 0 || this.#asked.folders.added.length > 0 || command.length === 0;
    if (isOutside || !isSurveyable(definition.reach)) return undefined;
    const known = this.#watches.get(definition.name);
    const watch =
      known ?? new DependencyTracker({ ...this.#options, sinceMs: this.#sinceMs }, definition, cache);
    this.#watches.set(definition.name, watch);
    const isRunning = this.#options.servers === 'shared' || this.#asked.servers.pools.length > 0;
    const dependencies = await watch.scan(known || isRunning ? 'doubt' : 'trust', signal);
    return dependencies && new CacheLookup({ watch, dependencies, cache, located });
  }

  /** Undefined if caching is impossible. An empty cache imports the answers shipped with the workspace. */
  cache(signal: AbortSignal): Promise<ReferenceCache | undefined> {
    this.#cache ??= this.#open(signal);
    return this.#cache;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const cache = this.#cache;
    this.#cache = Promise.resolve(undefined);
    (await cache)?.[Symbol.dispose]();
  }

  async #open(signal: AbortSignal): Promise<ReferenceCache | undefined> {
    const { cacheDirectory, workspace, log } = this.#options;
    if (cacheDirectory === undefined) return undefined;
    const directory = join(cacheDirectory, workspaceKey(workspace.root));
    const cache = await ReferenceCache.open({ directory, log: log.child('cache') });
    if (cache?.size === 0) await this.#takeAlong(cache, signal);
    return cache;
  }

  async #takeAlong(cache: ReferenceCache, signal: AbortSignal): Promise<void> {
    const { workspace, log } = this.#options;
    for (const name of broughtAlong) {
      const file = join(workspace.root, name);
      try {
        const size = await cache.unpack(await readFile(file), signal);
        log.info('cache.taken-along', { file, answers: size });
        return;
      } catch (thrown) {
        if (errnoOf(thrown) === 'ENOENT') continue;
        log.warning('cache.not-taken-along', {
          file,
          code: 'servers/cache-not-taken-along',
          error: messageOf(thrown),
        });
      }
    }
  }
}

const oldestSharedMs = 24 * 3_600_000;

/** Where a workspace may ship answers; the second is a convention of another program. */
const broughtAlong = ['.forerun/cache.db.gz', '.agent-lsp/cache.db.gz'];

/** Tracks the dependencies of one server's answers. */
class DependencyTracker {
  readonly #family: ServerDefinition['reach'];
  readonly #inventory: FileInventory;
  readonly #surroundings: ExternalInputs;
  readonly #imports: ImportGraph;
  readonly #takesChangesInOrder: boolean;
  /** None of our servers ran before this time. */
  readonly #sinceMs: number;
  /** When each path was last seen to have changed. */
  readonly #fresh = new Map<WorkspacePath, number>();
  #unwatchedChangeMs = 0;

  constructor(
    { workspace, env, sinceMs }: CachedAnswersOptions & { readonly sinceMs: number },
    definition: ServerDefinition,
    cache: ReferenceCache,
  ) {
    const { reach: family, name } = definition;
    this.#family = family;
    this.#sinceMs = sinceMs;
    this.#takesChangesInOrder = definition.quirks.takesChangesInOrder === true;
    const isSource = (path: string): boolean => serves(definition, path);
    const isRead = (path: string): boolean =>
      isSource(path) || isConfigFile(family, path) || isReadBy(family, path);
    this.#inventory = new FileInventory(
      { workspace, family, isSource, isRead },
      {
        load: () => cache.facts(name),
        save: (changed, gone) => cache.keepFacts(name, changed, gone),
      },
    );
    this.#surroundings = new ExternalInputs({ workspace, family, env });
    this.#imports = new ImportGraph(family);
  }

  /** `doubt` if a running server may not have processed recent changes. */
  async scan(changes: 'doubt' | 'trust', signal: AbortSignal): Promise<AnswerDependencies | undefined> {
    const inventory = await this.#inventory.scan(signal);
    if (!inventory) return undefined;
    const now = Date.now();
    this.#unwatchedChangeMs = inventory.unwatchedChangeMs;
    if (changes === 'doubt' && !this.#takesChangesInOrder)
      for (const { path } of inventory.changes) this.#fresh.set(path, now);
    const surroundings = this.#surroundings.describe(inventory.packages);
    if (surroundings === undefined) return undefined;
    this.#imports.take(inventory);
    return new AnswerDependencies({ family: this.#family, imports: this.#imports }, inventory, surroundings);
  }

  /** Whether the server may not have processed a change to the dependencies yet. */
  isUnsettled(
    dependencies: Dependencies,
    lease: Lease,
    hashOf: (path: WorkspacePath) => string | undefined,
  ): boolean {
    const untoldMs = Math.max(this.#unwatchedChangeMs, this.#surroundings.changedMs);
    if (untoldMs > this.#sinceMs) return true;
    for (const [path, seenAtMs] of this.#fresh) {
      if (Date.now() - seenAtMs > recentMs) this.#fresh.delete(path);
      else if (!isShown(path)) return true;
    }
    return false;

    /** An open document is the server's own text; a deleted file may still be in its memory. */
    function isShown(path: WorkspacePath): boolean {
      const hash = hashOf(path);
      if (hash !== undefined && !dependencies.paths.has(path)) return true;
      const shown = lease.server.documents.get(lease.uri(path))?.text;
      return hash !== undefined && shown !== undefined && sha256(shown) === hash;
    }
  }
}

interface KnowledgeParts {
  readonly watch: DependencyTracker;
  readonly dependencies: AnswerDependencies;
  readonly cache: ReferenceCache;
  readonly located: LocatedServer;
}

/** The cache of a workspace during one request. */
export class CacheLookup {
  readonly #parts: KnowledgeParts;
  readonly #said: { readonly question: string; readonly subject: Subject; readonly value: string }[] = [];
  #identity: string | undefined;

  constructor(parts: KnowledgeParts) {
    this.#parts = parts;
    const version = parts.cache.versionOf(programOf(parts.located));
    if (version !== undefined) this.#identity = identityOf(parts.located, version);
  }

  get server(): string {
    return this.#parts.located.definition.name;
  }

  /** Whether a file is one of the scanned sources. */
  covers(path: WorkspacePath): boolean {
    return this.#parts.dependencies.ofText(path) !== undefined;
  }

  answer(question: string, subject: Subject): KnownAnswer | undefined {
    const { cache, dependencies } = this.#parts;
    const rests = restsOn(dependencies, subject);
    if (this.#identity === undefined || !rests) return undefined;
    const value = cache.answer(`${this.#identity} ${question}`, rests.fingerprint);
    return value === undefined ? undefined : { value, fingerprint: rests.fingerprint };
  }

  /** Records the server's answer; `settle` stores it. */
  note(question: string, subject: Subject, value: string): void {
    this.#said.push({ question, subject, value });
  }

  /**
   * Identifies the server, and stores the recorded answers if its state can be trusted and nothing changed meanwhile.
   */
  async settle(lease: Lease, signal: AbortSignal): Promise<void> {
    const { cache, dependencies, watch, located } = this.#parts;
    const program = programOf(located);
    // A server that does not report its version is identified by its file, which differs between machines.
    const version = lease.server.capabilities.info.version ?? program;
    if (cache.versionOf(program) !== version) cache.keepVersion(program, version);
    const said = this.#said.splice(0);
    if (said.length === 0 || lease.shownDisk === undefined || lease.setup.mode !== 'buffers') return;
    const later = await watch.scan('doubt', signal);
    if (!later) return;
    const identity = identityOf(located, version);
    cache.keep(
      said.flatMap(({ question, subject, value }) => {
        const rests = restsOn(dependencies, subject);
        if (!rests || restsOn(later, subject)?.fingerprint !== rests.fingerprint) return [];
        if (!hasLoaded(lease, rests)) return [];
        if (watch.isUnsettled(rests, lease, (path) => later.ofText(path)?.fingerprint)) return [];
        return { key: `${identity} ${question}`, fingerprint: rests.fingerprint, value };
      }),
    );
  }
}

/** A server with a load scope has loaded the open documents and everything they import. */
function hasLoaded(lease: Lease, { holders }: Dependencies): boolean {
  if (lease.leftOut === 0) return true;
  return [...holders].every((path) => lease.server.documents.get(lease.uri(path)) !== undefined);
}

function restsOn(dependencies: AnswerDependencies, subject: Subject): Dependencies | undefined {
  return subject.kind === 'uses' ? dependencies.ofUses(subject.name) : dependencies.ofText(subject.path);
}

/** Equal on every machine that runs the same version in the same way. */
function identityOf({ definition, command }: LocatedServer, version: string): string {
  const { name, env, initializationOptions, settings } = definition;
  const options = command.slice(1).filter((word) => word.startsWith('-'));
  return sha256(
    JSON.stringify([name, version, options, env ?? {}, initializationOptions ?? null, settings ?? null]),
  );
}

/** The programs of a command, identified by their files: a new version is another program. */
function programOf({ command }: LocatedServer): string {
  const files = command.flatMap((word) => {
    if (!word.includes('/') && !word.includes('\\')) return [];
    const stamp = stampAt(word);
    return stamp ? `${realpathSync.native(word)} ${stamp.modifiedMs} ${stamp.size} ${stamp.inode}` : [];
  });
  return sha256(JSON.stringify([command, files]));
}

/**
 * A scratch workspace with live servers and sessions, as a program that uses the library would hold them.
 *
 * Invariant: disposing it ends every server it started and removes what it wrote.
 */
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../src/base/log.ts';
import { allowedTiers } from '../../src/config/allowed-tiers.ts';
import type { Evaluation } from '../../src/evaluation/evaluation.ts';
import type { ConnectionWorkspaces } from '../../src/live/connection-workspaces.ts';
import type { LiveWorkspace } from '../../src/live/live-workspace.ts';
import { WorkspaceRegistry, type WorkspaceRegistryOptions } from '../../src/live/workspace-registry.ts';
import { WorkspaceView } from '../../src/live/workspace-view.ts';
import { readText } from '../../src/overlay/overlay.ts';
import { languageId } from '../../src/servers/language.ts';
import type { Scope } from '../../src/servers/projection.ts';
import type { ServerDefinition } from '../../src/servers/server-definition.ts';
import type { Session } from '../../src/session/session.ts';
import { Sessions } from '../../src/session/sessions.ts';
import { LineIndex } from '../../src/text/position.ts';
import type { Trust } from '../../src/workspace/trust.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { replaceFiles, writeFiles } from './directory-files.ts';

export interface WorldOptions {
  readonly definitions?: readonly ServerDefinition[] | 'detect';
  readonly poolSize?: number;
  readonly idleLimits?: WorkspaceRegistryOptions['idleLimits'];
  readonly governor?: WorkspaceRegistryOptions['governor'];
  readonly readyTimeoutMs?: number;
  readonly warm?: WorkspaceRegistryOptions['warm'];
  readonly cacheDirectory?: string;
  readonly archive?: 'kept' | 'none';
  /** Whether the workspace may run programs of its own; absent: it may not. */
  readonly trust?: Trust;
  readonly load?: WorkspaceRegistryOptions['load'];
  /** Laid over the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>;
  /** Use this directory instead of a new one; it is not removed. */
  readonly root?: string;
}

/** Never aborts; tests end by the runner's own limit. */
export const calm: AbortSignal = new AbortController().signal;

export class World implements AsyncDisposable {
  readonly root: string;
  readonly registry: WorkspaceRegistry;
  readonly workspaces: ConnectionWorkspaces;
  readonly sessions: Sessions;
  readonly live: LiveWorkspace;
  readonly #scratch: readonly string[];

  private constructor(parts: {
    root: string;
    registry: WorkspaceRegistry;
    workspaces: ConnectionWorkspaces;
    sessions: Sessions;
    live: LiveWorkspace;
    scratch: readonly string[];
  }) {
    this.root = parts.root;
    this.registry = parts.registry;
    this.workspaces = parts.workspaces;
    this.sessions = parts.sessions;
    this.live = parts.live;
    this.#scratch = parts.scratch;
  }

  static async open(files: Readonly<Record<string, string>>, options: WorldOptions = {}): Promise<World> {
    const root = options.root ?? (await realpath(await mkdtemp(join(tmpdir(), 'forerun-world-'))));
    const archive = options.archive === 'kept' ? `${root}-sessions` : undefined;
    await writeFiles(root, files);
    const registry = new WorkspaceRegistry({
      definitions: options.definitions ?? 'detect',
      poolSize: options.poolSize ?? 1,
      idleLimits: options.idleLimits,
      governor: options.governor,
      readyTimeoutMs: options.readyTimeoutMs,
      warm: options.warm,
      cacheDirectory: options.cacheDirectory,
      trust: { trustOf: () => options.trust ?? 'untrusted' },
      // Read anew each time: tests set it between calls.
      tiers: () => allowedTiers({ ...process.env, ...options.env }),
      load: options.load,
      env: { ...process.env, ...options.env },
      log: silentLog,
    });
    const workspaces = registry.connect();
    const sessions = new Sessions({ workspaces, log: silentLog, archiveDirectory: archive });
    const { live } = await workspaces.open(root, calm);
    const scratch = [...(options.root ? [] : [root]), ...(archive ? [archive] : [])];
    return new World({ root, registry, workspaces, sessions, live, scratch });
  }

  /** Has the workspace hold these files and no others. Its servers stay: to them the files changed on disk. */
  async replaceFiles(files: Readonly<Record<string, string>>): Promise<void> {
    await replaceFiles(this.root, files);
  }

  /** The disk and the documents that tools have opened. */
  get view(): WorkspaceView {
    const { active } = this.workspaces;
    return active?.live === this.live ? active : WorkspaceView.ofDisk(this.live);
  }

  get workspace(): Workspace {
    return this.live.workspace;
  }

  session(language: string): Promise<Session> {
    return this.sessions.create({ live: this.live, language: languageId(language) }, calm);
  }

  /** Replaces the first occurrence of a piece of text in the session's own view of a file. */
  async replace(session: Session, path: string, change: { replace: string; with: string }): Promise<void> {
    const at = this.workspace.path(path);
    const { text } = await readText(session.overlay, at);
    const start = text.indexOf(change.replace);
    if (start < 0) throw new Error(`${path} does not contain ${JSON.stringify(change.replace)}`);
    const index = new LineIndex(text);
    const range = { start: index.positionAt(start), end: index.positionAt(start + change.replace.length) };
    await session.edit({ path: at, edit: { range, newText: change.with } }, calm);
  }

  evaluate(session: Session, scope: Scope = 'file'): Promise<Evaluation> {
    return session.evaluate({ scope, timeoutMs: 100_000 }, calm);
  }

  read(path: string): Promise<string> {
    return readFile(join(this.root, path), 'utf8');
  }

  write(path: string, text: string): Promise<void> {
    return writeFiles(this.root, { [path]: text });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.registry[Symbol.asyncDispose]();
    for (const directory of this.#scratch) await rm(directory, { recursive: true, force: true });
  }
}

/** An evaluation as a table of what a reader would check. */
export function outline(evaluation: Evaluation): {
  introduced: string[];
  resolved: string[];
  confidence: string;
} {
  const line = ({ path, diagnostic }: Evaluation['introduced'][number]): string => {
    const { line: row, character } = diagnostic.range.start;
    return `${path}:${row + 1}:${character + 1} ${diagnostic.message.split('\n')[0]}`;
  };
  return {
    introduced: evaluation.introduced.map(line),
    resolved: evaluation.resolved.map(line),
    confidence: evaluation.confidence,
  };
}

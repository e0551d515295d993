/**
 * Git on the wire: the changes since the last commit, their verdict, staging, discarding and committing.
 *
 * Invariants: what is staged is what the page shows, so a file with unsaved text is refused. What a discard removes is kept
 * as a what-if before anything is written. Files of the workspace change by commits of overlays alone.
 */
import { changeList } from '../../git/change-list.ts';
import { RepositoryPaths } from '../../git/repository-overlay.ts';
import { checkPending, NothingToJudge } from '../../host/check/patch-check.ts';
import { type LayerEntry, Overlay } from '../../overlay/overlay.ts';
import { Baseline } from '../../workspace/baseline.ts';
import { hashContent } from '../../workspace/content-hash.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Buffers } from '../buffers.ts';
import type { EditorContext } from '../editor-context.ts';
import { ChangedSince } from '../editor-failure.ts';
import type { EditorFeature, Handlers } from '../editor-feature.ts';
import type { ParamsOf, ResultOf, Snapshot } from '../protocol.ts';
import { wireEvaluationOf } from '../wire-evaluation.ts';
import { NothingStaged, UnsavedFiles } from './git-failure.ts';
import { GitFollower, type OpenRepository } from './git-follower.ts';
import { fileTexts } from './git-texts.ts';

type GitMethod =
  | 'git.status'
  | 'git.texts'
  | 'git.stage'
  | 'git.unstage'
  | 'git.discard'
  | 'git.commit'
  | 'git.judge';

/** A server may start and read the whole workspace for the first verdict. */
const judgeTimeoutMs = 120_000;

export class GitFeature implements EditorFeature<GitMethod> {
  readonly #context: EditorContext;
  readonly #buffers: Buffers;
  readonly #follower: GitFollower;

  constructor(context: EditorContext, buffers: Buffers) {
    this.#context = context;
    this.#buffers = buffers;
    this.#follower = new GitFollower(context, buffers);
  }

  readonly handlers: Handlers<GitMethod> = {
    'git.status': () => this.#follower.read(),
    'git.texts': async ({ path }, _source, signal) => {
      const shown = { workspace: this.#context.live.workspace, shown: this.#buffers.overlay() };
      const { repository } = await this.#follower.repository();
      return fileTexts(repository, { ...shown, path: await this.#path(path) }, signal);
    },
    'git.stage': ({ paths }) => this.#changeIndex(paths, 'stage'),
    'git.unstage': ({ paths }) => this.#changeIndex(paths, 'unstage'),
    'git.discard': ({ paths }) => this.#discard(paths),
    'git.commit': (params) => this.#commit(params),
    'git.judge': ({ part }, _source, signal) => this.#judge(part, signal),
  };

  snapshot(): Pick<Snapshot, 'git'> {
    return { git: this.#follower.status };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#follower[Symbol.asyncDispose]();
  }

  async #changeIndex(named: readonly string[], how: 'stage' | 'unstage'): Promise<Record<string, never>> {
    const { signal } = this.#context;
    const paths = await Promise.all(named.map((path) => this.#path(path)));
    if (how === 'stage') this.#requireSaved(paths);
    const open = await this.#follower.repository();
    await open.index[how](this.#fromTop(open, paths), signal);
    await this.#follower.read();
    return {};
  }

  async #commit({ message, part }: ParamsOf<'git.commit'>): Promise<ResultOf<'git.commit'>> {
    const { live, signal } = this.#context;
    const open = await this.#follower.repository();
    const files = { workspace: live.workspace, shown: this.#buffers.overlay() };
    const { staged, unstaged, stagedOutside } = await changeList(open.repository, files, signal);
    if (part === 'all' && unstaged.length > 0) {
      const paths = unstaged.map(({ path }) => path);
      this.#requireSaved(paths);
      await open.index.stage(this.#fromTop(open, paths), signal);
    }
    const taken = part === 'all' ? [...staged, ...unstaged] : staged;
    if (taken.length + stagedOutside === 0) throw new NothingStaged();
    try {
      const made = await open.index.commit(message, signal);
      return { ...made, files: new Set(taken.map(({ path }) => path)).size + stagedOutside };
    } finally {
      // Staged is staged, also if a hook refused the commit.
      await this.#follower.read();
    }
  }

  async #judge(part: ParamsOf<'git.judge'>['part'], signal: AbortSignal): Promise<ResultOf<'git.judge'>> {
    const { forerun, live } = this.#context;
    const kind = part === 'staged' ? 'staged' : 'uncommitted';
    const request = { root: live.workspace.root, scope: 'workspace', timeoutMs: judgeTimeoutMs } as const;
    const unsaved = part === 'all' ? this.#buffers.overlay().layer() : new Map<WorkspacePath, LayerEntry>();
    try {
      const asked = { ...request, kind, env: forerun.env, onProgress: () => {}, unsaved } as const;
      return { evaluation: wireEvaluationOf(await checkPending(forerun, asked, signal)) };
    } catch (thrown) {
      if (thrown instanceof NothingToJudge) return {};
      throw thrown;
    }
  }

  async #discard(named: readonly string[]): Promise<ResultOf<'git.discard'>> {
    const { live, connection, signal } = this.#context;
    const open = await this.#follower.repository();
    const paths = await Promise.all(named.map((path) => this.#path(path)));
    const restored = new Map<WorkspacePath, LayerEntry>();
    const disk = new Map<WorkspacePath, FileContent | undefined>();
    for (const path of paths) {
      disk.set(path, await live.disk.source.read(path));
      const [name = path] = this.#fromTop(open, [path]);
      restored.set(path, (await open.index.checkedOut(name, signal)) ?? 'removed');
    }
    const whatIf = await this.#keep(restored);
    const written = overlayOver(live.disk.source, restored, (path) => disk.get(path));
    const options = { durability: 'process', onConflict: 'refuse' } as const;
    const outcome = await live.commits.commit(written, options, signal);
    if (outcome.kind === 'conflict') {
      if (whatIf !== undefined) await connection.sessions.destroy(whatIf);
      throw new ChangedSince(outcome.paths);
    }
    for (const path of paths) if (this.#buffers.get(path)) await this.#buffers.revert(path);
    await this.#follower.read();
    return whatIf === undefined ? {} : { whatIf };
  }

  /** Stores the shown files as a what-if of the user; a file that is gone holds nothing to keep. */
  async #keep(restored: ReadonlyMap<WorkspacePath, LayerEntry>): Promise<string | undefined> {
    const { live, connection, signal } = this.#context;
    const shown = this.#buffers.overlay();
    const kept = new Map<WorkspacePath, FileContent>();
    for (const path of restored.keys()) {
      const content = await shown.read(path);
      if (content) kept.set(path, content);
    }
    if (kept.size === 0) return undefined;
    const title = `Discarded: ${[...kept.keys()].map((path) => path.slice(path.lastIndexOf('/') + 1)).join(', ')}`;
    // It is a change of the files as the discard leaves them.
    const base = new Baseline(Overlay.on(live.disk.source).writeAll([...restored]));
    const overlay = overlayOver(base, kept, (path) => contentIn(restored.get(path)));
    const session = await connection.sessions.keep({ live, overlay, author: 'you', title }, signal);
    return session.id;
  }

  #requireSaved(paths: readonly WorkspacePath[]): void {
    const unsaved = paths.filter((path) => this.#buffers.get(path)?.isUnsaved === true);
    if (unsaved.length > 0) throw new UnsavedFiles(unsaved);
  }

  #fromTop({ repository }: OpenRepository, paths: readonly WorkspacePath[]): readonly string[] {
    const names = new RepositoryPaths(repository.top, this.#context.live.workspace);
    return paths.map((path) => names.fromTop(path));
  }

  /** The entry itself, where a path ends in a link: git tracks the link. */
  #path(path: string): Promise<WorkspacePath> {
    return this.#context.live.workspace.resolveEntry(path);
  }
}

/** An overlay that replaces exactly the contents that `over` names. */
function overlayOver(
  base: Overlay['base'],
  layer: ReadonlyMap<WorkspacePath, LayerEntry>,
  over: (path: WorkspacePath) => FileContent | undefined,
): Overlay {
  const madeOn = new Map([...layer.keys()].map((path) => [path, hashContent(over(path))]));
  return Overlay.on(base, { layer, madeOn });
}

function contentIn(entry: LayerEntry | undefined): FileContent | undefined {
  return entry === 'removed' ? undefined : entry;
}

/**
 * The workspaces one client works with: views of live workspaces that the registry owns.
 *
 * Invariants: unsaved text of one connection is seen by no other. Disposing a connection's workspaces forgets its views
 * and ends no server.
 */

import { fileURLToPath } from 'node:url';
import { Channel } from '../base/channel.ts';
import type { Environment } from '../base/environment.ts';
import { Failure } from '../base/failure.ts';
import type { ServerRegister } from '../servers/server-register.ts';
import type { SandboxTiers } from '../servers/server-site.ts';
import type { TrustSource } from '../workspace/trust.ts';
import { contains, PathOutsideWorkspace, type Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { LiveWorkspace } from './live-workspace.ts';
import type { WorkspaceLocator } from './workspace-locator.ts';
import { WorkspaceView } from './workspace-view.ts';

/** What the user of this process has set for programs and files of every workspace. */
export interface UserSurroundings {
  /** Which workspaces may run programs of their own. */
  readonly trust: TrustSource;
  /** The directory of our own files, such as commit journals. */
  readonly stateDirectory: string;
  /** The environment of the user, for the programs that tools run. */
  readonly env: Environment;
  /** The sandbox tiers that the user allows; absent: the default ones. */
  readonly tiers?: SandboxTiers | undefined;
}

/** The owner's side of a connection. */
export interface Lender {
  readonly locator: WorkspaceLocator;
  readonly register: ServerRegister;
  readonly user: UserSurroundings;
  /** Lends the live workspace of a root, opening it if needed. The registry disposes it. */
  readonly borrow: (workspace: Workspace) => Promise<LiveWorkspace>;
}

/** A file that a client named: the view of its workspace, and its path there after links are resolved. */
export interface FileLocation {
  readonly view: WorkspaceView;
  readonly path: WorkspacePath;
}

export class ConnectionWorkspaces implements Disposable {
  readonly locator: WorkspaceLocator;
  readonly register: ServerRegister;
  readonly user: UserSurroundings;
  /** Emits each workspace when this connection first uses it. */
  readonly opened = new Channel<WorkspaceView>();
  readonly #lender: Lender;
  /** By root. */
  readonly #views = new Map<string, WorkspaceView>();
  /** Roots that were opened because they are a folder of another workspace; they are used only while they are one. */
  readonly #byFolder = new Set<string>();
  #activeRoot: string | undefined;

  constructor(lender: Lender) {
    this.#lender = lender;
    this.locator = lender.locator;
    this.register = lender.register;
    this.user = lender.user;
  }

  /** The same for another client of the same servers. */
  fork(): ConnectionWorkspaces {
    return new ConnectionWorkspaces(this.#lender);
  }

  /** For one call: the workspaces as `views` show them, the first of them active. Others are opened as by a fork. */
  seeing(views: readonly WorkspaceView[]): ConnectionWorkspaces {
    const seeing = this.fork();
    for (const view of views) seeing.#views.set(view.workspace.root, view);
    seeing.#activeRoot = views[0]?.workspace.root;
    return seeing;
  }

  /** The workspace most recently opened by name. */
  get active(): WorkspaceView | undefined {
    return this.#activeRoot === undefined ? undefined : this.#views.get(this.#activeRoot);
  }

  get all(): readonly WorkspaceView[] {
    return [...this.#views.values()];
  }

  async open(root: string, signal: AbortSignal): Promise<WorkspaceView> {
    const view = await this.#view(root, signal);
    this.#byFolder.delete(view.workspace.root);
    this.#activeRoot = view.workspace.root;
    return view;
  }

  /** Opens the workspace that one call names; the active one stays active, unless there is none. */
  async use(root: string, signal: AbortSignal): Promise<WorkspaceView> {
    const view = await this.#view(root, signal);
    this.#byFolder.delete(view.workspace.root);
    this.#activeRoot ??= view.workspace.root;
    return view;
  }

  /** The open workspace that contains a file; otherwise the inferred workspace is opened. */
  async forFile(filePath: string, signal: AbortSignal): Promise<WorkspaceView> {
    const innermost = this.#innermost(filePath);
    if (innermost) return innermost;
    const folder = this.#folders.find((each) => contains(each, filePath));
    if (folder) {
      const view = await this.#view(folder.root, signal);
      this.#byFolder.add(view.workspace.root);
      return view;
    }
    await this.locator.requireServed(filePath);
    const { active } = this;
    if (active) throw new PathOutsideWorkspace(filePath, active.workspace.root);
    const inferred = await this.locator.inferWorkspace(filePath, signal);
    if (!inferred) throw new NoWorkspace();
    return this.open(inferred.root, signal);
  }

  /** Where a file is that is named by a path or a URI; its workspace is opened if none is open yet. */
  async locateFile(pathOrUri: string, signal: AbortSignal): Promise<FileLocation> {
    const filePath = pathOrUri.startsWith('file:///') ? fileURLToPath(pathOrUri) : pathOrUri;
    const view = await this.forFile(filePath, signal);
    return { view, path: await view.workspace.resolve(filePath) };
  }

  /**
   * Replaces this connection's view of a workspace synchronously, starting from the current one, so that of two
   * documents opened at the same time both are kept. Views returned before do not change.
   */
  update({ workspace }: WorkspaceView, change: (view: WorkspaceView) => WorkspaceView): void {
    const current = this.#views.get(workspace.root);
    if (current) this.#views.set(workspace.root, change(current));
  }

  [Symbol.dispose](): void {
    this.#views.clear();
    this.#activeRoot = undefined;
  }

  async #view(root: string, signal: AbortSignal): Promise<WorkspaceView> {
    signal.throwIfAborted();
    const workspace = await this.locator.locate(root);
    const known = this.#views.get(workspace.root);
    if (known) return known;
    const live = await this.#lender.borrow(workspace);
    // Two calls may have waited for the same workspace; the second uses the view of the first.
    const current = this.#views.get(workspace.root);
    if (current) return current;
    const view = WorkspaceView.ofDisk(live);
    this.#views.set(workspace.root, view);
    this.opened.emit(view);
    return view;
  }

  /** The folders added to any open workspace. */
  get #folders(): readonly Workspace[] {
    return this.all.flatMap(({ live }) => live.folders.added);
  }

  /** Of nested workspaces the innermost is used. */
  #innermost(filePath: string): WorkspaceView | undefined {
    const added = new Set(this.#folders.map(({ root }) => root));
    const holders = this.all.filter(
      ({ workspace }) =>
        contains(workspace, filePath) && (!this.#byFolder.has(workspace.root) || added.has(workspace.root)),
    );
    return holders.sort((a, b) => b.workspace.root.length - a.workspace.root.length)[0];
  }
}

export class NoWorkspace extends Failure {
  readonly code = 'servers/no-workspace';
  readonly remedy =
    'Open a workspace by its root directory, or name a file inside a project directory. A home directory and directories that all users share are opened only by their name.';

  constructor() {
    super('no workspace is open');
  }
}

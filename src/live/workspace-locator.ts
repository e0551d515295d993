/**
 * Finds the workspace that a path belongs to, without opening it.
 *
 * Invariant: every directory a client names becomes a Workspace here, so the boundary of served roots holds for all of
 * them.
 */
import type { Environment } from '../base/environment.ts';
import type { RootBoundary } from '../workspace/root-boundary.ts';
import { contains, Workspace } from '../workspace/workspace.ts';
import { type InferredRoot, inferProject, inferWorkspace } from './workspace-root.ts';

export interface WorkspaceLocatorOptions {
  /** The only directories workspaces are opened in; absent: any directory. */
  readonly boundary?: RootBoundary | undefined;
  readonly env: Environment;
}

export class WorkspaceLocator {
  readonly #options: WorkspaceLocatorOptions;

  constructor(options: WorkspaceLocatorOptions) {
    this.#options = options;
  }

  /** The directory a client named, as a workspace that is not opened. */
  locate(directory: string): Promise<Workspace> {
    const { boundary } = this.#options;
    return boundary ? boundary.open(directory) : Workspace.open(directory);
  }

  /** Fails if a path that will be passed to a server lies outside the boundary. */
  async requireServed(path: string): Promise<void> {
    await this.#options.boundary?.rootOf(path);
  }

  /** The workspace inferred for a file or directory; never one above the served root it lies in. */
  inferWorkspace(path: string, signal: AbortSignal): Promise<InferredRoot | undefined> {
    return this.#inferred(path, inferWorkspace(path, this.#options.env, signal));
  }

  /** The project that a file or directory is built and tested with, within the same bounds. */
  inferProject(path: string, signal: AbortSignal): Promise<InferredRoot | undefined> {
    return this.#inferred(path, inferProject(path, this.#options.env, signal));
  }

  async #inferred(
    path: string,
    search: Promise<InferredRoot | undefined>,
  ): Promise<InferredRoot | undefined> {
    const [served, inferred] = await Promise.all([this.#options.boundary?.rootOf(path), search]);
    if (!served) return inferred;
    return inferred && contains(served, (await Workspace.open(inferred.root)).root)
      ? inferred
      : { root: served.root };
  }
}

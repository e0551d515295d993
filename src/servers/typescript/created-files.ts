/**
 * Has the server look for new files in projects whose configuration another project extends.
 *
 * TypeScript 7 keeps one entry for each configuration. An entry that was first made for an extending configuration
 * ignores every file that is created later, so its project would never hold it. An event about the configuration itself
 * makes the server read it again, its files included. Deleted files are not affected.
 *
 * Invariant: before the files of the projects are listed, every file that was created since the last time, on disk or by
 * an overlay, has led to such an event.
 */
import { notifyFileEvents } from '../../lsp/feature/watched-file.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Projection } from '../projection.ts';
import type { ProjectConfigs } from './project-configs.ts';

export class CreatedFiles {
  /** What was announced last. */
  #announced: { readonly onDisk: number; readonly shown: string } | undefined;

  /** `isHeld` says whether a project holds a file on disk; others may be new. */
  async announce(
    { server, projection, configs }: CreatedFilesParts,
    isHeld: (path: WorkspacePath) => boolean,
    signal: AbortSignal,
  ): Promise<void> {
    const { shown } = projection;
    const created = [...shown].filter(([path, content]) => content !== 'removed' && !isHeld(path));
    const state = { onDisk: configs.creations, shown: created.map(([path]) => path).join('\0') };
    const before = this.#announced;
    this.#announced = state;
    const isNew = before?.onDisk !== state.onDisk || (state.shown !== '' && before.shown !== state.shown);
    if (!isNew) return;
    const extended = new Set(await configs.extendedUnder(shown, signal));
    const affected = (await configs.under(shown, signal)).filter((path) => extended.has(path));
    announceChanged({ server, projection }, affected);
  }
}

/** Has the server read these configurations again. */
export function announceChanged(
  { server, projection }: Pick<CreatedFilesParts, 'server' | 'projection'>,
  configs: readonly WorkspacePath[],
): void {
  notifyFileEvents(
    server,
    configs.map((path) => ({ uri: projection.uri(path), kind: 'changed' })),
  );
}

interface CreatedFilesParts {
  readonly server: LanguageServer;
  readonly projection: Projection;
  readonly configs: ProjectConfigs;
}

/**
 * Has a server resolve all imports again after a text was replaced by one that imports the same modules in another mode.
 *
 * Invariant: of a file that is not open the text before a change on disk is not known: modes that it lost there go unnoticed
 * until something else makes the server resolve its imports.
 */
import { notifyFileEvents } from '../../lsp/feature/watched-file.ts';
import type { FileEvent } from '../../workspace/file-event.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { Projection, ProjectionParts, SuccessiveTexts } from '../projection.ts';
import { resolvesOtherwise } from './import-modes.ts';

/** Whether a program would keep the resolution of a text that is replaced. */
export function keepsWrongResolution(replaced: readonly SuccessiveTexts[]): boolean {
  return replaced.some(({ path, before, after }) => resolvesOtherwise(path, before, after));
}

/** As `keepsWrongResolution`, for files that changed on disk; `sent` is the text of an open document. */
export async function keepsResolutionOfOld(
  events: readonly FileEvent[],
  {
    sent,
    onDisk,
  }: {
    readonly sent: (path: WorkspacePath) => string | undefined;
    readonly onDisk: (path: WorkspacePath) => Promise<string | undefined>;
  },
): Promise<boolean> {
  for (const { path, kind } of events) {
    if (kind !== 'changed' || !isScript.test(path)) continue;
    const young = await onDisk(path);
    if (young !== undefined && resolvesOtherwise(path, sent(path), young)) return true;
  }
  return false;
}

const isScript = /\.[cm]?[jt]sx?$/i;

/** Reports the configurations as changed, after which the server resolves all imports. */
export async function reportConfigs(
  { server, configs }: Pick<ProjectionParts, 'server' | 'configs'>,
  uri: Projection['uri'],
): Promise<void> {
  const paths = (await configs?.()) ?? [];
  notifyFileEvents(
    server,
    paths.map((path) => ({ uri: uri(path), kind: 'changed' })),
  );
}

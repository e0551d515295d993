/**
 * Chooses the projection mode that gives an exact answer: buffers, unless the server would miss something that the
 * compiler, which reads files, reports.
 *
 * Invariant: a server without a compiler is always asked itself.
 */
import type { DiskState } from '../workspace/disk-state.ts';
import { needsCompiler } from './go/compiled-edit.ts';
import type { OverlayEffect } from './overlay-effect.ts';
import { chooseProjectionMode, type ProjectionMode, type Scope } from './projection-mode.ts';
import type { ServerDefinition } from './server-definition.ts';

export async function exactProjectionMode(
  definition: ServerDefinition,
  effect: OverlayEffect,
  { scope, disk }: { readonly scope: Scope; readonly disk: DiskState },
): Promise<ProjectionMode> {
  const mode = chooseProjectionMode(definition, effect, { scope, isOnDisk: (path) => disk.exists(path) });
  if (mode === 'mounted' || definition.fullCheck?.output !== 'go-list') return mode;
  for (const [path, content] of effect) {
    if (content === 'removed' || content.kind !== 'text') continue;
    if (needsCompiler((await disk.text(path)) ?? '', content.text)) return 'mounted';
  }
  return mode;
}

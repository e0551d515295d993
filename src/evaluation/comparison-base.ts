/**
 * What an overlay is compared with: the disk it was made on, or the overlay directly beneath it.
 *
 * Invariant: `shown` applied to the current disk gives exactly the files the changes were made on, and every one of
 * them that changed on disk since is listed.
 */

import type { LiveWorkspace } from '../live/live-workspace.ts';
import { type FileChange, Overlay } from '../overlay/overlay.ts';
import { changesOf, effectOf, noEffect, type OverlayEffect } from '../servers/projection.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

/** `beneath` asks for the effect of the uppermost layer; if only the disk is beneath, both are the same. */
export type Against = 'disk' | 'beneath';

export interface ComparisonBase {
  readonly changes: readonly FileChange[];
  readonly shown: OverlayEffect;
  /** Edited files that changed on disk since. */
  readonly disturbed: readonly WorkspacePath[];
  /** Files changed by the layers beneath, which may therefore not exist on disk. */
  readonly beneath: readonly WorkspacePath[];
  /** Whether a file exists before the changes. */
  exists(path: WorkspacePath): boolean;
}

/** The changes that are evaluated. */
export function changesAgainst(overlay: Overlay, against: Against): Promise<readonly FileChange[]> {
  return overlayBeneath(overlay, against) ? overlay.changes() : changesOf(overlay);
}

/** `concerns` selects the files the server is asked about. */
export async function comparisonBaseOf(
  live: LiveWorkspace,
  { overlay, against }: { readonly overlay: Overlay; readonly against: Against },
  concerns: (path: WorkspacePath) => boolean,
): Promise<ComparisonBase> {
  const parent = overlayBeneath(overlay, against);
  const laid = parent ? await effectOf(parent) : noEffect;
  const changes = (await changesAgainst(overlay, against)).filter(({ path }) => concerns(path));
  const pins = await pinned(
    live,
    changes.filter(({ path, from }) => !laid.has(from ?? path)),
  );
  const below = parent ? (await changesOf(parent)).filter(({ path }) => concerns(path)) : [];
  return {
    changes,
    shown: new Map([...laid, ...pins]),
    disturbed: [...pins.keys(), ...(await disturbedIn(live, below))],
    beneath: below.map(({ path }) => path),
    exists: (path) => {
      const entry = laid.get(path);
      return entry === undefined ? live.disk.exists(path) : entry !== 'removed';
    },
  };
}

/** The overlay directly beneath, if that is the base. */
export function overlayBeneath({ base }: Overlay, against: Against): Overlay | undefined {
  return against === 'beneath' && base instanceof Overlay ? base : undefined;
}

/** Edited files whose content on disk is no longer the one the edits were made on, with the original content. */
async function pinned(live: LiveWorkspace, changes: readonly FileChange[]): Promise<OverlayEffect> {
  const pins = new Map<WorkspacePath, FileContent | 'removed'>();
  for (const { path, from, before } of changes) {
    const origin = from ?? path;
    if (before !== undefined && before.kind !== 'text') continue;
    if ((await live.disk.text(origin)) !== before?.text) pins.set(origin, before ?? 'removed');
  }
  return pins;
}

/** The layers beneath may have been committed meanwhile; any third content was written by another process. */
async function disturbedIn(
  live: LiveWorkspace,
  changes: readonly FileChange[],
): Promise<readonly WorkspacePath[]> {
  const disturbed: WorkspacePath[] = [];
  for (const { path, from, before, after } of changes) {
    if (isOther(before) || isOther(after)) continue;
    const [old, next] = [textIn(before), textIn(after)];
    const found = await live.disk.text(path);
    const origin = from === undefined ? found : await live.disk.text(from);
    const isBefore = from === undefined ? found === old : found === undefined && origin === old;
    const isAfter = found === next && (from === undefined || origin === undefined);
    if (!isBefore && !isAfter) disturbed.push(path);
  }
  return disturbed;
}

/** Whether there is content that is not text. */
function isOther(content: FileContent | undefined): boolean {
  return content !== undefined && content.kind !== 'text';
}

function textIn(content: FileContent | undefined): string | undefined {
  return content?.kind === 'text' ? content.text : undefined;
}

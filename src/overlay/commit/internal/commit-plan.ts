import type { BigIntStats } from 'node:fs';
import { mapConcurrently } from '../../../workspace/concurrency.ts';
import { absentHash, type ContentHash, hashContent } from '../../../workspace/content-hash.ts';
import { DiskSource } from '../../../workspace/disk-source.ts';
import type { FileContent } from '../../../workspace/file-content.ts';
import { PathOutsideWorkspace, type Workspace } from '../../../workspace/workspace.ts';
import { comparePaths, type WorkspacePath } from '../../../workspace/workspace-path.ts';
import type { FileChange } from '../../overlay.ts';
import { type CommitTarget, toTargets } from './commit-target.ts';
import { hasSpecialBits, permissionBits } from './file-mode.ts';
import type { PlannedStep } from './planned-step.ts';
import type { ProtectedPaths } from './protected-path.ts';
import { AliasedPaths } from './transaction-failure.ts';
import { TreeDirectories } from './tree-directories.ts';
import { hashEntry } from './tree-entry.ts';

export interface CommitPlan {
  readonly steps: readonly PlannedStep[];
  /** Paths, as named by the overlay, whose content on disk is not the one the change was made on. */
  readonly conflicts: readonly WorkspacePath[];
  readonly warnings: readonly string[];
  /**
   * Checks again, after the steps were made, what no step guarantees: paths without a step, and paths that were
   * reached through links. Returns those that are not as planned.
   */
  readonly recheck: () => Promise<readonly WorkspacePath[]>;
}

/** Which contents on disk a change may replace. */
export type Precondition = (found: ContentHash, target: CommitTarget) => boolean;

export interface PlanOptions {
  readonly mayReplace: Precondition;
  readonly protectedPaths: ProtectedPaths;
}

/**
 * Reads the disk and plans the steps; changes nothing.
 *
 * Invariant: every path of a step has been resolved through all links and lies inside the workspace, on the file
 * system of its root, and is not protected; no two steps concern the same entry. A path that already has its new
 * content has no step.
 */
export async function planCommit(
  workspace: Workspace,
  changes: readonly FileChange[],
  { mayReplace, protectedPaths }: PlanOptions,
): Promise<CommitPlan> {
  for (const { path, from } of changes) for (const each of [path, from ?? path]) protectedPaths.refuse(each);
  const targets = await toTargets(workspace, changes);
  const directories = new TreeDirectories(workspace, targets);
  const found = await mapConcurrently(targets, 16, (target) => inspect(workspace, directories, target));
  for (const { place } of found) protectedPaths.refuse(place);
  refuseAliases(found);
  const leaving = found.filter(({ target, stats }) => target.content === undefined && stats !== undefined);
  const entering = found
    .map((entry) => respelled(entry, leaving))
    .filter((entry) => entry.target.content !== undefined && !isDone(entry));
  const refused = [...leaving, ...entering].filter(({ seen, target }) => !mayReplace(seen, target));
  const removed = new Set(leaving.map(({ place }) => place));
  const made = await directories.toMake(created(entering), removed);
  const unmade = await directories.toRemove(removed, new Set(entering.map(({ place }) => place)));
  const conflicts = [...refused.map(({ target }) => target.path), ...made.obstructed];
  const stepped = new Set([...leaving, ...entering].map(({ place }) => place));
  return {
    steps: [...leaving.map(deletion), ...unmade, ...made.steps, ...entering.map(writing)],
    conflicts: [...new Set(conflicts)].sort(comparePaths),
    warnings: [
      ...leaving.flatMap(movedLinkWarning),
      ...entering.flatMap(hardLinkWarning),
      ...found.flatMap(modeWarning),
    ],
    recheck: () => recheck(workspace, found, stepped),
  };
}

async function recheck(
  workspace: Workspace,
  found: readonly Found[],
  stepped: ReadonlySet<WorkspacePath>,
): Promise<readonly WorkspacePath[]> {
  const directories = new TreeDirectories(workspace, []);
  const inDoubt = found.filter(({ place, target }) => !stepped.has(place) || place !== target.path);
  const wrong = await mapConcurrently(inDoubt, 16, async ({ place, target }) => {
    try {
      const now = await inspect(workspace, directories, target);
      return now.place === place && (stepped.has(place) || isDone(now)) ? [] : [target.path];
    } catch (thrown) {
      if (thrown instanceof PathOutsideWorkspace) return [target.path];
      throw thrown;
    }
  });
  return wrong.flat();
}

/** A target and the entry on disk that it resolves to. */
interface Found {
  readonly target: CommitTarget;
  /** The entry of the target, all links resolved. */
  readonly place: WorkspacePath;
  /** Undefined if there is nothing, or a directory. */
  readonly stats: BigIntStats | undefined;
  /** The hash of the entry itself, and of the file behind it if it is a link. */
  readonly own: ContentHash;
  readonly seen: ContentHash;
}

async function inspect(
  workspace: Workspace,
  directories: TreeDirectories,
  target: CommitTarget,
): Promise<Found> {
  const { path: place, stats, isBelowRemovedLink } = await directories.locate(target);
  const absolute = workspace.absolute(place);
  if (stats === undefined || stats.isDirectory()) {
    const seen = isBelowRemovedLink
      ? hashContent(await new DiskSource(workspace).read(target.path))
      : absentHash;
    return { target, place, stats: undefined, own: absentHash, seen };
  }
  const own = hashEntry(absolute, stats);
  if (!stats.isSymbolicLink()) return { target, place, stats, own, seen: own };
  return { target, place, stats, own, seen: hashContent(await new DiskSource(workspace).read(place)) };
}

function refuseAliases(found: readonly Found[]): void {
  const byPlace = new Map<WorkspacePath, WorkspacePath>();
  for (const { place, target } of found) {
    const other = byPlace.get(place);
    if (other !== undefined) throw new AliasedPaths(other, target.path);
    byPlace.set(place, target.path);
  }
}

/** On a case-insensitive file system, renaming `Name` to `name` finds the file that is being renamed. */
function respelled(entry: Found, leaving: readonly Found[]): Found {
  const { stats, place, target } = entry;
  if (target.content === undefined || stats === undefined) return entry;
  const isOneFile = leaving.some(
    (other) =>
      other.stats?.ino === stats.ino &&
      other.stats.dev === stats.dev &&
      other.place !== place &&
      other.place.toLowerCase() === place.toLowerCase(),
  );
  return isOneFile ? { ...entry, stats: undefined, own: absentHash, seen: absentHash } : entry;
}

function isDone({ target, own, stats }: Found): boolean {
  const { content } = target;
  if (content === undefined) return stats === undefined;
  if (stats === undefined || own !== hashContent(content)) return false;
  if (content.kind === 'symlink' || content.mode === undefined) return true;
  return [content.mode, permissionBits(content.mode)].includes(bitsOf(stats));
}

function created(entering: readonly Found[]): readonly Found[] {
  return entering.filter(({ stats }) => stats === undefined);
}

function deletion({ place, own, stats }: Found): PlannedStep {
  return { step: { kind: 'delete', path: place, before: own }, existing: stats };
}

function writing({ target, place, own, stats }: Found): PlannedStep {
  const { content } = target;
  const after = hashContent(content);
  if (stats !== undefined) {
    return { step: { kind: 'replace', path: place, before: own, after }, content, existing: stats };
  }
  return { step: { kind: 'create', path: place, after }, content: withMode(target) };
}

/** A file that is new at its path has the mode it had where its change was made. */
function withMode({ content, usualMode }: CommitTarget): FileContent | undefined {
  if (content === undefined || content.kind === 'symlink' || usualMode === undefined) return content;
  return { ...content, mode: content.mode ?? usualMode };
}

function hardLinkWarning({ target, stats }: Found): string[] {
  if (stats === undefined || stats.nlink < 2n) return [];
  return [`"${target.path}" had other hard links; they keep the old content`];
}

function movedLinkWarning({ target: { path, movedTo }, stats }: Found): string[] {
  if (movedTo === undefined || stats === undefined || stats.nlink < 2n) return [];
  return [`"${path}" had other hard links; "${movedTo}" is a file of its own`];
}

/** A warning if a mode has special bits, of which the file on disk will get the permission bits only. */
function modeWarning({ target: { path, content, usualMode }, stats, own }: Found): string[] {
  if (content === undefined || content.kind === 'symlink') return [];
  const isUntouched = own === hashContent(content) && content.mode === (stats && bitsOf(stats));
  const mode = content.mode ?? (stats ? bitsOf(stats) : usualMode);
  if (mode === undefined || !hasSpecialBits(mode) || isUntouched) return [];
  return [`"${path}" does not get its set-user-ID, set-group-ID or sticky bit`];
}

function bitsOf({ mode }: BigIntStats): number {
  return Number(mode & 0o7777n);
}

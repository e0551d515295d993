/**
 * The doubt caused by a library that is not installed.
 *
 * Invariant: there is no doubt only if nothing compared can depend on a missing library: no evaluated file imports one or
 * names what depends on one, or the change alters nothing that a compiler reads.
 */
import { existsSync } from 'node:fs';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { ProjectionPlan } from '../live/projection-plan.ts';
import type { FileChange } from '../overlay/overlay.ts';
import { type IsInWorkspace, missingLibraries, missingLibraryDoubt } from '../servers/missing-library.ts';
import { noEffect } from '../servers/overlay-effect.ts';
import { type FileDiagnostics, isProved } from '../servers/proof.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { standardModules } from '../servers/standard-library.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Finding } from './evaluation.ts';

/**
 * Diagnostics of the files that the evaluated ones import, if they may miss a library. Requested before the change is
 * shown, since the server that shows it cannot show the disk at the same time.
 */
export async function answersBehind(
  live: LiveWorkspace,
  plan: ProjectionPlan,
  { changes, files, timeoutMs }: LibraryQuestion,
  signal: AbortSignal,
): Promise<readonly FileDiagnostics[]> {
  const { definition } = plan.located;
  if (definition.reach !== 'python' || files.length === 0) return [];
  const { reach, disk } = live;
  if (await reach.keepTokens(definition, changes)) return [];
  const imported = await reach.importedBy(definition, files, changes, signal);
  const standard = standardModules();
  const open = [...imported]
    .filter(([path, names]) => disk.exists(path) && names.some((name) => !standard.has(name)))
    .map(([path]) => path)
    .filter((path) => !files.includes(path));
  const unknown = open.filter((path) => reach.libraries.get(definition.name, path) === undefined);
  if (unknown.length > 0) {
    const answers = await live.baselines.diagnostics(
      { ...plan, effect: noEffect },
      unknown,
      { timeoutMs },
      signal,
    );
    reach.libraries.keep(
      definition.name,
      answers.filter(({ proof }) => isProved(proof)),
    );
  }
  return open.flatMap((path) => reach.libraries.get(definition.name, path) ?? []);
}

interface LibraryQuestion {
  readonly changes: readonly FileChange[];
  readonly files: readonly WorkspacePath[];
  readonly timeoutMs: number;
}

export interface Compared {
  readonly changes: readonly FileChange[];
  readonly before: readonly FileDiagnostics[];
  readonly after: readonly FileDiagnostics[];
  readonly introduced: readonly Finding[];
  /** Diagnostics of files that the evaluated ones import. */
  readonly behind: readonly FileDiagnostics[];
}

export async function doubtOfMissingLibraries(
  { workspace, reach }: Pick<LiveWorkspace, 'workspace' | 'reach'>,
  definition: ServerDefinition,
  compared: Compared,
  signal: AbortSignal,
): Promise<string | undefined> {
  const family = definition.reach;
  const { changes, before, after, introduced, behind } = compared;
  const touched = new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
  const isInWorkspace: IsInWorkspace = (path) =>
    [...touched].some((each) => each === path || each.startsWith(`${path}/`)) ||
    existsSync(workspace.absolute(path));
  // A library missing before the change but not after it can only have hidden errors that now appear as introduced.
  const apart = new Set(after.flatMap(({ path, isApart }) => (isApart ? [path] : [])));
  const past = introduced.length > 0 ? before.filter(({ path }) => !apart.has(path)) : [];
  const named = [...past, ...notCaused(compared, touched)];
  const names = missingLibraries(family, [...named, ...behind], isInWorkspace);
  // Last, because the texts must be parsed for it, and usually nothing is missing.
  if (names.length === 0 || (await reach.keepTokens(definition, changes))) return undefined;
  const own = missingLibraries(family, named, isInWorkspace);
  const paths = [...new Set([...before, ...after].map(({ path }) => path))];
  const missing = new Map(
    behind.map((answer) => [answer.path, missingLibraries(family, [answer], isInWorkspace)]),
  );
  const isSeen =
    own.length > 0 || (await reach.seesLibraries(definition, { paths, changes, missing }, signal));
  return isSeen ? missingLibraryDoubt(family, names, isInWorkspace) : undefined;
}

/** A module that an unchanged file no longer finds was removed by the change: that is a result, not a doubt. */
function notCaused(
  { after, introduced }: Compared,
  touched: ReadonlySet<WorkspacePath>,
): readonly FileDiagnostics[] {
  const caused = new Set(
    introduced.filter(({ path }) => !touched.has(path)).map(({ diagnostic }) => diagnostic),
  );
  return after.map((answer) => ({
    ...answer,
    diagnostics: answer.diagnostics.filter((diagnostic) => !caused.has(diagnostic)),
  }));
}

/**
 * What is compared to evaluate an overlay, decided before a server is asked.
 *
 * Invariant: a file that the change can affect is among `files`, or the doubt about it is in `reach` or
 * `projectDoubt`.
 */
import type { Reach } from '../graph/reach/reach-graph.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { ProjectionPlan } from '../live/projection-plan.ts';
import type { FileChange } from '../overlay/file-change.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { checkedManifests } from '../servers/checked-manifest.ts';
import { isAnsweredFor, isImportedAsData } from '../servers/file-relevance.ts';
import { checkedFiles } from '../servers/project/checked-files.ts';
import type { Scope } from '../servers/projection-mode.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { reachOf } from './change-reach.ts';
import { type CheckedOnly, checkedOnly, filesToCompare } from './compared-files.ts';
import { type Against, type ComparisonBase, comparisonBaseOf } from './comparison-base.ts';

export interface Comparison extends CheckedOnly {
  readonly base: ComparisonBase;
  /** The changes of the overlay that the server answers for. */
  readonly changes: readonly FileChange[];
  readonly reach: Reach;
  /** Whether the diagnostics of configuration files are compared too. */
  readonly withConfigs: boolean;
  /** The changed files, old names included; hints are requested for these only. */
  readonly hintsFor: ReadonlySet<WorkspacePath>;
}

interface ComparedOverlay {
  readonly overlay: Overlay;
  readonly scope: Scope;
  /** The base of the comparison; absent: the disk. */
  readonly against?: Against;
}

/** In file scope the affected files are not computed. */
const unasked: Reach = { files: [], complete: true };

export async function planComparison(
  live: LiveWorkspace,
  { overlay, scope, against = 'disk' }: ComparedOverlay,
  { plan, touched }: { readonly plan: ProjectionPlan; readonly touched: readonly WorkspacePath[] },
  signal: AbortSignal,
): Promise<Comparison> {
  const { definition } = plan.located;
  const reach = scope === 'workspace' ? await reachOf(live, { overlay, against, plan }, signal) : unasked;
  const base = await comparisonBaseOf(live, { overlay, against }, (path) => isAnsweredFor(definition, path));
  const { changes } = base;
  const near = scope === 'workspace' ? base.beneath : [];
  const manifests = await manifestsToCheck(live, plan, { touched, base });
  const files = filesToCompare(base, [...reach.files, ...near, ...manifests]);
  const checked = narrowsItsFiles(definition)
    ? checkedOnly(files, changes, {
        before: checkedFiles(definition, live.workspace, base.shown),
        after: checkedFiles(definition, live.workspace, plan.effect),
      })
    : { files, unchecked: [], projectDoubt: undefined };
  // Errors of a project as a whole are reported at its configuration, and only these changes can alter them.
  const altersProjects =
    touched.some((path) => isImportedAsData(definition, path)) || changes.some(comesOrGoes);
  const hintsFor = new Set(changes.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
  const withConfigs = scope === 'workspace' && altersProjects;
  return { ...checked, base, changes, reach, withConfigs, hintsFor };
}

/** Whether a configuration says which files the server's checker reports on; otherwise it is every file. */
function narrowsItsFiles({ compilation, project }: ServerDefinition): boolean {
  return compilation === 'database' || project !== undefined;
}

/** Manifests that the compiler reads; diagnostics about them are available in a mount only. */
async function manifestsToCheck(
  live: LiveWorkspace,
  plan: ProjectionPlan,
  { touched, base }: { readonly touched: readonly WorkspacePath[]; readonly base: ComparisonBase },
): Promise<readonly WorkspacePath[]> {
  if (plan.mode !== 'mounted') return [];
  return checkedManifests(plan.located.definition, touched, {
    path: (text) => live.workspace.path(text),
    exists: base.exists,
  });
}

function comesOrGoes({ before, after, from }: FileChange): boolean {
  return before === undefined || after === undefined || from !== undefined;
}

/**
 * The parts of a change that were not checked, in sentences for the reader.
 *
 * Invariant: a change that no project, build or compiler reads is always reported.
 */

import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { ProjectionPlan } from '../live/projection-plan.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { compilationDoubts, isUnit, shownTextReader } from '../servers/c/compilation-database.ts';
import type { Lease } from '../servers/lease.ts';
import { type FileDiagnostics, isProved } from '../servers/proof.ts';
import { serves } from '../servers/server-routing.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { CheckedOnly } from './compared-files.ts';
import { listed } from './confidence.ts';

/** Files that no project checks, by its configuration or by the server's report of its projects. */
export function uncheckedByProjects(
  { unchecked, projectDoubt }: Pick<CheckedOnly, 'unchecked' | 'projectDoubt'>,
  touched: readonly WorkspacePath[],
  after: readonly FileDiagnostics[],
): readonly string[] {
  const unowned = after.filter(({ path, isUnowned }) => isUnowned && touched.includes(path));
  const paths = [
    ...new Set([
      ...unchecked,
      ...unowned.flatMap(({ path, unownedBecause }) => (unownedBecause === undefined ? [path] : [])),
    ]),
  ];
  return [
    ...unowned.flatMap(({ path, unownedBecause: why }) =>
      why === undefined ? [] : [`No build here checks ${path}: ${why}.`],
    ),
    ...(paths.length > 0 ? [`No project checks ${listed(paths)}.`] : []),
    ...(projectDoubt === undefined ? [] : [projectDoubt]),
  ];
}

/** Projects that read build output of the changed files see the change only after the next build. */
export async function doubtsOfOutputs(
  lease: Lease,
  touched: readonly WorkspacePath[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const readers = await lease.outputReaders(touched, signal);
  return readers.map((phrase) => `${phrase}; what the change does there shows after a build.`);
}

/** For files compiled with flags from elsewhere: which flags are unknown. */
export async function doubtsOfFlags(
  live: LiveWorkspace,
  subject: {
    readonly overlay: Overlay;
    readonly plan: ProjectionPlan;
    readonly touched: readonly WorkspacePath[];
    readonly reached: readonly WorkspacePath[];
  },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { overlay, plan, touched, reached } = subject;
  const { definition } = plan.located;
  const files = touched.filter((path) => serves(definition, path) && plan.effect.get(path) !== 'removed');
  if (files.length === 0) return [];
  // In file scope the files that include a header were not checked, but must exist.
  const units = files.every(isUnit) ? reached : (await live.reach.of(overlay, plan, signal)).files;
  return compilationDoubts(
    { touched: files.map(absolute), units: units.map(absolute) },
    shownTextReader(plan.effect, (path) => live.workspace.absolute(path)),
  );
  function absolute(path: WorkspacePath): string {
    return live.workspace.absolute(path);
  }
}

/** Whether a server answered where the compiler should have: for files that must be mounted, or for every change. */
export function isHalfChecked(
  { located: { definition }, mode }: ProjectionPlan,
  after: readonly FileDiagnostics[],
): boolean {
  if (definition.fullCheck?.speaks === 'in-workspace-scope')
    return !after.every(({ proof }) => proof.kind === 'checked');
  const isServers = after.some(({ proof }) => isProved(proof) && proof.kind !== 'checked');
  return definition.fullCheck !== undefined && mode === 'mounted' && isServers;
}

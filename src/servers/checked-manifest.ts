/**
 * The manifests at which errors of a compiler run are reported: those of the projects that the changed files belong
 * to.
 */
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { cargoProjects, manifestIn } from './rust/cargo-project.ts';
import type { ServerDefinition } from './server-definition.ts';

export async function checkedManifests(
  { fullCheck }: ServerDefinition,
  changed: readonly WorkspacePath[],
  { path, exists }: { path(text: string): WorkspacePath; exists(path: WorkspacePath): boolean },
): Promise<readonly WorkspacePath[]> {
  if (fullCheck?.output !== 'cargo-json') return [];
  const projects = await cargoProjects(changed, (manifest) => exists(path(manifest)));
  return projects.map((project) => path(manifestIn(project)));
}

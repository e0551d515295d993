/**
 * The Cargo projects that files of a workspace belong to.
 *
 * Invariant: a project is the outermost directory with a manifest above a file. Cargo, run there, decides whether
 * packages inside it are members or excluded.
 */
import { parse } from 'smol-toml';
import { directoryOf } from '../../graph/reach/reach-family.ts';

export const manifestName = 'Cargo.toml';

/** The outermost directories with a manifest above `paths`, relative to the workspace; empty for its root. */
export async function cargoProjects(
  paths: readonly string[],
  has: (path: string) => boolean | Promise<boolean>,
): Promise<readonly string[]> {
  const known = new Map<string, boolean>();
  const projects = new Set<string>();
  for (const directory of new Set(paths.map(directoryOf))) {
    for (const each of outermostFirst(directory)) {
      const isProject = known.get(each) ?? (await has(manifestIn(each)));
      known.set(each, isProject);
      if (!isProject) continue;
      projects.add(each);
      break;
    }
  }
  return [...projects];
}

export function manifestIn(directory: string): string {
  return directory === '' ? manifestName : `${directory}/${manifestName}`;
}

function outermostFirst(directory: string): readonly string[] {
  const segments = directory === '' ? [] : directory.split('/');
  return ['', ...segments.map((_, at) => segments.slice(0, at + 1).join('/'))];
}

/**
 * The package selections in which a project is checked. If cargo skips members unless asked for all, both selections
 * count: common code may be compiled with other features.
 */
export function selectionsOf(manifest: string): readonly (readonly string[])[] {
  const whole = ['--workspace'];
  try {
    const { workspace, package: root } = parse(manifest);
    if (typeof workspace !== 'object' || workspace === null) return [whole];
    return root !== undefined || 'default-members' in workspace ? [whole, []] : [whole];
  } catch {
    // Cargo itself reports what is wrong with it.
    return [whole];
  }
}

/**
 * The Cargo projects that files of a workspace belong to.
 *
 * Invariant: a project is the outermost directory with a manifest around a file. Packages inside of it are its members,
 * or are left out by it; either way cargo decides, when it is run there.
 */
import { parse } from 'smol-toml';
import { directoryOf } from '../../graph/reach/reach-family.ts';

export const manifestName = 'Cargo.toml';

/** The outermost directories with a manifest around `paths`, relative to the workspace; empty for its root. */
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
 * The selections of packages a project is checked in. Where cargo leaves members out unless it is asked for all, both
 * count: what they have in common may be compiled with other features.
 */
export function selectionsOf(manifest: string): readonly (readonly string[])[] {
  const whole = ['--workspace'];
  try {
    const { workspace, package: root } = parse(manifest);
    if (typeof workspace !== 'object' || workspace === null) return [whole];
    return root !== undefined || 'default-members' in workspace ? [whole, []] : [whole];
  } catch {
    // Cargo says itself what is wrong with it.
    return [whole];
  }
}

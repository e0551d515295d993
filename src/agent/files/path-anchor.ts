/**
 * Resolves a path written by a model.
 *
 * Models write paths relative to the root, prefixed with the root's name, or absolute.
 *
 * Invariant: the resolved path lies inside a root after all links are followed.
 */
import { isAbsolute } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { SubjectPath } from '../../tools/call-subject.ts';
import { existsIn } from '../../workspace/file-source.ts';
import { PathOutsideWorkspace } from '../../workspace/workspace.ts';
import { parseWorkspacePath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { type Roots, type RootView, shownPath } from './agent-root.ts';

export interface AnchoredPath extends SubjectPath {
  readonly root: RootView;
}

export async function anchorPath(roots: Roots<RootView>, input: string): Promise<AnchoredPath> {
  for (const { root, rest } of await readings(roots, input.trim())) {
    const path = await inside(root, rest);
    if (path === undefined) continue;
    return anchored(roots, root, path);
  }
  throw new PathOutsideRoots(input, roots);
}

/** A path that is known to lie in a root. */
export function anchored(roots: Roots<RootView>, root: RootView, path: WorkspacePath): AnchoredPath {
  return { root, path, absolute: root.workspace.absolute(path), shown: shownPath(roots, root, path) };
}

class PathOutsideRoots extends Failure {
  readonly code = 'agent/path-outside';
  readonly remedy: string;

  constructor(path: string, roots: Roots<RootView>) {
    super(`"${path}" is outside the workspace`);
    const named = roots.slice(1).map(({ name, workspace }) => `${name}/ is ${workspace.root}`);
    const others = named.length > 0 ? `; ${named.join(', ')}` : '';
    this.remedy = `Use a path inside the workspace. Relative paths start at ${roots[0].workspace.root}${others}.`;
  }
}

interface Reading {
  readonly root: RootView;
  readonly rest: string;
}

/** An absolute path may lie in any root. A relative path has exactly one reading. */
async function readings(roots: Roots<RootView>, input: string): Promise<readonly Reading[]> {
  if (isAbsolute(input) || /^file:/i.test(input)) {
    // Of nested roots, the innermost one is chosen.
    const inner = [...roots].sort((a, b) => b.workspace.root.length - a.workspace.root.length);
    return inner.map((root) => ({ root, rest: input }));
  }
  const [first] = roots;
  const [, leading = '', rest = ''] = /^(?:\.\/+)*([^/\\]*)[/\\]*(.*)$/s.exec(input) ?? [];
  const named = roots.find(({ name }) => name === leading);
  if (!named || (await holdsEntry(first, leading))) return [{ root: first, rest: input }];
  return [{ root: named, rest: rest === '' ? '.' : rest }];
}

/** If the first root has a directory named like another root, a relative path means the directory. */
async function holdsEntry({ overlay }: RootView, name: string): Promise<boolean> {
  const path = parseWorkspacePath(name);
  return path !== undefined && path !== '' && (await existsIn(overlay, path));
}

async function inside({ workspace }: RootView, input: string): Promise<WorkspacePath | undefined> {
  try {
    return await workspace.resolve(input);
  } catch (thrown) {
    if (thrown instanceof PathOutsideWorkspace) return undefined;
    throw thrown;
  }
}

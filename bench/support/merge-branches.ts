/**
 * Ten branches of a repository: five rename a function where it is declared, five call one of them by its old name. Every
 * one is clean alone, and every text merges.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gitIn } from '../../test/support/git-workspace.ts';

const renames = 5;
const shared = 'src/shared-functions.ts';

/** Lines between two functions, so that git merges changes of both. */
const apart = '//\n'.repeat(8);

/** Answers their names; the repository shows its main branch, which has the functions. */
export async function mergeBranches(root: string): Promise<readonly string[]> {
  const commit = async (path: string, text: string): Promise<void> => {
    await writeFile(join(root, path), text);
    await gitIn(root, 'add', '-A');
    await gitIn(root, 'commit', '-q', '-m', path);
  };
  await commit(shared, functions());
  const names: string[] = [];
  for (let at = 0; at < renames; at++) {
    for (const [name, path, text] of [
      [`renames${at}`, shared, functions(at)],
      [
        `calls${at}`,
        `src/call${at}.ts`,
        `import { plain${at} } from './shared-functions';\n\nexport const called${at}: number = plain${at}();\n`,
      ],
    ] as const) {
      await gitIn(root, 'checkout', '-q', '-b', name, 'main');
      await commit(path, text);
      names.push(name);
    }
  }
  await gitIn(root, 'checkout', '-q', 'main');
  return names;
}

/** The pairs that are not clean, by checking out and judging every branch and every pair. */
export async function mergeMatrix(
  root: string,
  branches: readonly string[],
  isClean: () => Promise<boolean>,
): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const [at, branch] of branches.entries()) {
    await gitIn(root, 'checkout', '-q', '--detach', branch);
    if (!(await isClean())) throw new Error(`${branch} is broken alone`);
    for (const other of branches.slice(at + 1)) {
      await gitIn(root, 'checkout', '-q', '--detach', branch);
      await gitIn(root, 'merge', '-q', '--no-edit', other);
      if (!(await isClean())) broken.push(`${branch}+${other}`);
    }
  }
  await gitIn(root, 'checkout', '-q', 'main');
  return broken.sort();
}

function functions(renamed?: number): string {
  return Array.from({ length: renames }, (_, at) => {
    const name = at === renamed ? `renamed${at}` : `plain${at}`;
    return `export function ${name}(): number {\n  return ${at};\n}\n${apart}`;
  }).join('');
}

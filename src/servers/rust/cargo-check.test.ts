import { expect, test } from 'vitest';
import { parseWorkspacePath } from '../../workspace/workspace-path.ts';
import { cargoCheck } from './cargo-check.ts';
import { type CargoMemory, type CargoSite, cargoMemory } from './cargo-run.ts';

const rootWithMembers = '[package]\nname = "root"\n[workspace]\nmembers = ["kit"]\n';

/** A run of cargo in which each selection compiles the units named for it and ends with the code. */
interface Scripted {
  readonly whole: readonly string[];
  readonly own: readonly string[];
  readonly code?: number;
}

/** How many commands of cargo each check ran, one check after the other. */
async function countedRuns(
  checks: readonly (Scripted & { readonly disk: number | undefined })[],
): Promise<readonly number[]> {
  const memory: CargoMemory = cargoMemory();
  const counts: number[] = [];
  for (const { disk, ...scripted } of checks) {
    let count = 0;
    const site: CargoSite = {
      root: '/work',
      buildDirectory: '/work/target',
      readText: async (path) => (path === 'Cargo.toml' ? rootWithMembers : undefined),
      run: async ([, , script = '']) => {
        const commands = script.split('\n').filter((line) => line.startsWith("'cargo'"));
        count += commands.length;
        const { code = 0 } = scripted;
        const outputs = commands.map((words) => outputOf(words.includes('--workspace') ? 'whole' : 'own'));
        const stdout = outputs.map((text) => `${text}\u001e${code}\n`).join('');
        return {
          code,
          stdout,
          stderr: outputs.map(() => '\u001e').join(''),
          timedOut: false,
          truncated: false,
        };
        function outputOf(selection: 'whole' | 'own'): string {
          const record = (unit: string) => ({
            reason: 'compiler-artifact',
            filenames: [`/work/target/${unit}`],
          });
          return scripted[selection].map((unit) => `${JSON.stringify(record(unit))}\n`).join('');
        }
      },
    };
    const paths = [parseWorkspacePath('src/lib.rs') ?? expect.unreachable()];
    await cargoCheck(['cargo', 'check'], site, { paths, memory, plainDisk: disk });
    counts.push(count);
  }
  return counts;
}

const covered: Scripted = { whole: ['libroot-1.rmeta', 'libkit-2.rmeta'], own: ['libroot-1.rmeta'] };
const withOtherFeatures: Scripted = { whole: ['libroot-1.rmeta'], own: ['libroot-3.rmeta'] };
const failing: Scripted = { whole: [], own: [], code: 101 };

test.each([
  [
    'a selection whose units were all compiled before is not checked again',
    [covered, covered],
    [1, 1],
    [2, 1],
  ],
  ['a selection with other features is checked each time', [withOtherFeatures, covered], [1, 1], [2, 2]],
  ['a failing check does not show which units a selection has', [failing, failing], [1, 1], [2, 2]],
  ['a failing check is not repeated for units known to be covered', [covered, failing], [1, 1], [2, 1]],
  ['another state of the disk may have other units', [covered, covered], [1, 2], [2, 2]],
  ['a change to manifests or targets may have other units', [covered, covered], [1, undefined], [2, 2]],
  ['of a change to manifests nothing is remembered', [covered, covered], [undefined, 1], [2, 2]],
] as const)('%s', async (_, checks, disks, counts) => {
  expect(await countedRuns(checks.map((each, at) => ({ ...each, disk: disks[at] })))).toEqual(counts);
});

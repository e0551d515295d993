/** The first questions of a process, asked before anything is warm, are judged like every later one. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { rounds } from '../support/soak.ts';
import { calm, outline, World } from '../support/world.ts';

interface Case {
  readonly language: string;
  readonly files: Readonly<Record<string, string>>;
  /** Breaks the file it is made in for those that use it. */
  readonly change: { readonly path: string; readonly replace: string; readonly with: string };
  readonly gone: string;
  readonly worlds: number;
}

const users = Array.from({ length: 12 }, (_, at) => at);

const cases: readonly Case[] = [
  {
    language: 'typescript',
    files: {
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          strict: true,
          lib: ['es2023'],
          noEmit: true,
          module: 'esnext',
          moduleResolution: 'bundler',
        },
      }),
      'value.ts': 'export const value: number = 1;\n',
      ...Object.fromEntries(
        users.map((at) => [
          `deep/user${at}.ts`,
          `import { value } from '../value';\nexport const half: number = value / 2;\n`,
        ]),
      ),
    },
    change: { path: 'value.ts', replace: 'number = 1', with: "string = 'a'" },
    gone: 'value.ts',
    worlds: rounds({ everyRun: 3, soak: 6 }),
  },
  {
    language: 'python',
    files: {
      'pyrightconfig.json': JSON.stringify({ typeCheckingMode: 'standard' }),
      'value.py': 'value: int = 1\n',
      ...Object.fromEntries(
        users.map((at) => [`user${at}.py`, 'from value import value\n\nhalf: float = value / 2\n']),
      ),
    },
    change: { path: 'value.py', replace: 'int = 1', with: "str = 'a'" },
    gone: 'value.py',
    worlds: rounds({ everyRun: 1, soak: 2 }),
  },
];

test.each(cases)('$language: sessions begun together, each a step later than the last', async (each) => {
  for (let round = 0; round < each.worlds; round += 1) {
    await using world = await World.open(each.files, { poolSize: 2 });
    const judged = await Promise.all(users.map((steps) => judgedAfter(world, each, steps)));
    for (const { introduced, confidence } of judged) {
      expect(introduced.map((line) => line.split(':')[0])).toEqual(
        Object.keys(each.files)
          .filter((path) => path.includes('user'))
          .sort(),
      );
      expect(confidence).toBe('high');
    }
  }
});

/** Every fourth session takes the file away instead, which servers are shown in another way. */
async function judgedAfter(
  world: World,
  { language, change, gone }: Case,
  steps: number,
): Promise<ReturnType<typeof outline>> {
  for (let step = 0; step < steps * 3; step += 1) await setImmediate();
  const session = await world.session(language);
  if (steps % 4 === 3) {
    await session.transform(async (overlay) => overlay.remove(world.workspace.path(gone)), calm);
  } else await world.replace(session, change.path, change);
  const found = outline(await world.evaluate(session, 'workspace'));
  return { ...found, introduced: found.introduced.sort() };
}

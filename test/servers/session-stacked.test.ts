/** A change on top of another is judged by what it adds to that one, which is what it will do once that one is real. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkOverlay } from '../../src/evaluation/local-evaluator.ts';
import { Overlay } from '../../src/overlay/overlay.ts';
import { calm, World } from '../support/world.ts';

interface Case {
  readonly language: string;
  readonly files: Readonly<Record<string, string>>;
  /** Breaks the user, and adds a file that rests on the new text. */
  readonly first: Readonly<Record<string, string>>;
  readonly second: readonly (readonly [
    name: string,
    texts: Readonly<Record<string, string>>,
    expected: { readonly introduced: readonly string[]; readonly resolved: readonly string[] },
  ])[];
}

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
      'user.ts': "import { value } from './value';\nexport const half: number = value / 2;\n",
      'other.ts': 'export {};\n',
    },
    first: {
      'value.ts': "export const value: string = 'a';\n",
      'extra.ts': "import { value } from './value';\nexport const loud: string = value.toUpperCase();\n",
    },
    second: [
      ['elsewhere', { 'other.ts': 'export const other = 1;\n' }, { introduced: [], resolved: [] }],
      [
        'that mends what the first broke',
        { 'user.ts': "import { value } from './value';\nexport const half: number = value.length / 2;\n" },
        { introduced: [], resolved: ['user.ts'] },
      ],
      [
        'that breaks what only the first made',
        { 'value.ts': 'export const value: number = 2;\n' },
        { introduced: ['extra.ts'], resolved: ['user.ts'] },
      ],
      ['that breaks itself', { 'other.ts': 'oops(;\n' }, { introduced: ['other.ts'], resolved: [] }],
    ],
  },
  {
    language: 'python',
    files: {
      'pyrightconfig.json': JSON.stringify({ typeCheckingMode: 'standard' }),
      'value.py': 'value: int = 1\n',
      'user.py': 'from value import value\n\nhalf: float = value / 2\n',
    },
    first: {
      'value.py': "value: str = 'a'\n",
      'extra.py': 'from value import value\n\nloud: str = value.upper()\n',
    },
    second: [
      [
        'that breaks what only the first made',
        { 'value.py': 'value: int = 2\n' },
        { introduced: ['extra.py'], resolved: ['user.py'] },
      ],
    ],
  },
];

describe.each(cases)('$language', ({ files, first, second }) => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(files);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const write = (overlay: Overlay, texts: Readonly<Record<string, string>>): Overlay =>
    overlay.writeAll(
      Object.entries(texts).map(
        ([path, text]) => [world.workspace.path(path), { kind: 'text', text }] as const,
      ),
    );
  const judged = async (overlay: Overlay, against: 'disk' | 'beneath') => {
    const request = { overlay, scope: 'workspace', timeoutMs: 30_000, against } as const;
    const { evaluations, verdict } = await checkOverlay(world.live, request, calm);
    const paths = (kind: 'introduced' | 'resolved') => [
      ...new Set(
        evaluations
          .flatMap((evaluation) => evaluation[kind])
          .filter(({ diagnostic }) => diagnostic.severity === 'error')
          .map(({ path }) => path),
      ),
    ];
    const doubts = evaluations.flatMap((evaluation) => evaluation.doubts);
    return { introduced: paths('introduced'), resolved: paths('resolved'), verdict: verdict.kind, doubts };
  };

  test.each(second)('a change %s', async (_name, texts, expected) => {
    const beneath = write(world.live.emptyOverlay(), first);
    const stacked = write(Overlay.on(beneath), texts);
    const answer = await judged(stacked, 'beneath');
    expect(answer).toMatchObject(expected);
    const options = { durability: 'process', onConflict: 'refuse' } as const;
    await world.live.commits.commit(beneath, options, calm);
    try {
      // The same overlay, and one that never knew the first for anything but the disk.
      expect(await judged(stacked, 'beneath')).toEqual(answer);
      expect(await judged(write(world.live.emptyOverlay(), texts), 'disk')).toEqual(answer);
    } finally {
      await world.live.commits.undo(calm);
    }
  });

  test('a third content on disk is a doubt', async () => {
    const beneath = write(world.live.emptyOverlay(), first);
    await beneath.changes();
    const [[path = '', text = ''] = []] = Object.entries(first);
    const [, texts = {}] = second[0] ?? [];
    await world.write(path, `${text}\n`);
    try {
      const { doubts } = await judged(write(Overlay.on(beneath), texts), 'beneath');
      expect(doubts).toContain(`Changed on disk since the session read them: ${path}.`);
    } finally {
      await world.write(path, files[path] ?? '');
    }
  });
});

/** What happens to files outside of us is part of the very next verdict, however short before it came. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { languageId } from '../../src/servers/language.ts';
import { scriptedRequests } from '../support/scripted.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { calm, outline, World } from '../support/world.ts';

const tsconfig = JSON.stringify({
  compilerOptions: {
    strict: true,
    lib: ['es2023'],
    module: 'esnext',
    moduleResolution: 'bundler',
    noEmit: true,
  },
  include: ['src'],
});

/** `main` is edited; it depends on `near`, which depends on `lib/far`. Nobody opens the latter two. */
const files = {
  'tsconfig.json': tsconfig,
  'src/main.ts': "import { near } from './near';\nexport const value: number = 0;\nexport { near };\n",
  'src/near.ts': "import { far } from './lib/far';\nexport const near = far;\n",
  'src/lib/far.ts': 'export const far = 1;\n',
};

/** What the edit, which makes the value out of `near`, does while `far` is a number, a text or not to be found. */
const outcomes = {
  clean: { introduced: [], near: [] },
  broken: { introduced: ["src/main.ts:2:14 Type 'string' is not assignable to type 'number'."], near: [] },
  unresolved: {
    introduced: [],
    near: ["Cannot find module './lib/far' or its corresponding type declarations."],
  },
} as const;

type At = (path: string) => string;

/** Each step happens on disk the instant before a verdict; what the verdict must be follows. */
const steps: ReadonlyArray<readonly [how: string, act: (at: At) => void, outcome: keyof typeof outcomes]> = [
  ['nothing at all', () => {}, 'clean'],
  [
    'a file that was never opened is saved in place',
    (at) => writeFileSync(at('src/lib/far.ts'), "export const far = 'x';\n"),
    'broken',
  ],
  [
    'it is put back by a rename',
    (at) => {
      writeFileSync(at('src/lib/far.ts.tmp'), 'export const far = 1;\n');
      renameSync(at('src/lib/far.ts.tmp'), at('src/lib/far.ts'));
    },
    'clean',
  ],
  [
    'it is written twice within one tick of the clock',
    (at) => {
      writeFileSync(at('src/lib/far.ts'), 'export const far = 2;\n');
      writeFileSync(at('src/lib/far.ts'), "export const far = '';");
    },
    'broken',
  ],
  ['its directory is moved away', (at) => renameSync(at('src/lib'), at('src/old')), 'unresolved'],
  [
    'a directory of that name comes with the file in it',
    (at) => {
      mkdirSync(at('src/lib'));
      writeFileSync(at('src/lib/far.ts'), 'export const far = 3;\n');
    },
    'clean',
  ],
  ['the file is deleted', (at) => rmSync(at('src/lib/far.ts')), 'unresolved'],
  [
    'an index takes its place',
    (at) => {
      mkdirSync(at('src/lib/far'));
      writeFileSync(at('src/lib/far/index.ts'), "export const far = 'index';\n");
    },
    'broken',
  ],
  [
    'a file nobody knew of shadows the index',
    (at) => writeFileSync(at('src/lib/far.ts'), 'export const far = 4;\n'),
    'clean',
  ],
  [
    'a shell command rewrites it',
    (at) => execFileSync('sh', ['-c', 'sed -i "s/4/\'shell\'/" far.ts'], { cwd: at('src/lib') }),
    'broken',
  ],
  ['the whole directory goes', (at) => rmSync(at('src/lib'), { recursive: true }), 'unresolved'],
];

test('every kind of change on disk is in the verdict that follows at once', async () => {
  await using world = await World.open(files);
  for (const [how, act, outcome] of steps) {
    const session = await world.session('typescript');
    await world.replace(session, 'src/main.ts', { replace: '= 0', with: '= near' });
    act((path) => join(world.root, path));
    const { introduced, confidence } = outline(await world.evaluate(session, 'workspace'));
    const near = await diagnosticsOf(world, 'src/near.ts');
    expect({ how, confidence, introduced, near }).toEqual({ how, confidence: 'high', ...outcomes[outcome] });
    await session.discard(calm);
  }
});

async function diagnosticsOf(world: World, path: string): Promise<string[]> {
  const at = world.workspace.path(path);
  const { live } = world;
  await using lease = await world.view.fork(live.emptyOverlay()).lease(live.languageFor(at), calm);
  const answers = await lease.diagnostics([at], { timeoutMs: 30_000 }, calm);
  return answers.flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message));
}

test('thousands of changes at once reach a server in one message', async () => {
  await using world = await World.open({ 'a.scripted': '' }, { definitions: [scriptedDefinition({})] });
  const { live } = world;
  const language = languageId('scripted');
  const lease = () => world.view.fork(live.emptyOverlay()).lease(language, calm);
  await (await lease())[Symbol.asyncDispose]();
  const epoch = live.disk.epoch;
  mkdirSync(join(world.root, 'many'));
  for (let at = 0; at < 5000; at++) writeFileSync(join(world.root, `many/${at}.scripted`), '');
  await using second = await lease();
  const received = await second.server.request(scriptedRequests.received, {}, {}, calm);
  const reported = Array.isArray(received) ? received : [];
  expect(reported.filter((method) => method === 'workspace/didChangeWatchedFiles')).toHaveLength(1);
  expect(live.disk.epoch).toBe(epoch + 1);
});

test('two worktrees of one repository never mix their answers', async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-worktrees-')));
  try {
    const [one, two] = [join(home, 'one'), join(home, 'two')];
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd, stdio: 'ignore' });
    const used = "import { near } from './near';\nexport const value: number = near;\n";
    for (const [path, text] of Object.entries({ ...files, 'src/main.ts': used })) {
      mkdirSync(join(one, path, '..'), { recursive: true });
      writeFileSync(join(one, path), text);
    }
    git(one, 'init', '-q');
    git(one, 'add', '.');
    git(one, 'commit', '-qm', 'one');
    git(one, 'worktree', 'add', '-q', '-b', 'two', two);
    await using first = await World.open({}, { root: one });
    const { live } = await first.workspaces.open(two, calm);
    const evaluate = async (root: string) => {
      const open = await first.workspaces.open(root, calm);
      const session = await first.sessions.create(
        { live: open.live, language: open.languageFor(open.workspace.path('src/main.ts')) },
        calm,
      );
      await first.replace(session, 'src/near.ts', { replace: '= far', with: '= String(far)' });
      return outline(await first.evaluate(session, 'workspace')).introduced;
    };
    const main = "Type 'string' is not assignable to type 'number'.";
    expect(await evaluate(one)).toEqual([`src/main.ts:2:14 ${main}`]);
    // The second tree alone expects a text now, so the same edit is right there and wrong here.
    writeFileSync(join(two, 'src/main.ts'), used.replace('number', 'string | number'));
    expect(live.workspace.root).toBe(two);
    expect(await evaluate(two)).toEqual([]);
    expect(await evaluate(one)).toEqual([`src/main.ts:2:14 ${main}`]);
    // A checkout in one tree is nothing to the other.
    const before = first.live.disk.epoch;
    git(two, 'checkout', '-q', '.');
    expect(await evaluate(two)).toEqual([`src/main.ts:2:14 ${main}`]);
    await first.live.syncWithDisk(calm);
    expect(first.live.disk.epoch).toBe(before);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

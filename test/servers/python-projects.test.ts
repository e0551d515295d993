/**
 * Python projects: what a session says came and went is what the checker, run on real files before and after, says.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verdictOf } from '../../src/evaluation/evaluation.ts';
import { languageId } from '../../src/servers/language.ts';
import { judgePyrightTrees } from '../support/truth/judge.ts';
import { judgeChange } from '../support/truth/judged-change.ts';
import type { WorkspaceFiles } from '../support/truth/workspace-files.ts';
import { calm, World } from '../support/world.ts';

type Change = Readonly<Record<string, string | undefined>>;

interface Trial {
  readonly files: WorkspaceFiles;
  readonly change: Change;
  readonly verdict: 'clean' | 'broken' | 'unknown';
  /** What a doubt must say. */
  readonly doubt?: string;
}

const wrong = 'import lib\nx: str = lib.one\n';
const lib = { 'lib.py': 'one: str = ""\n' };
const config = (value: unknown) => ({ 'pyrightconfig.json': JSON.stringify(value) });

/** A file that does without a library, and a name that depends on it. */
const optional =
  'try:\n    import nowhere_at_all\nexcept ImportError:\n    nowhere_at_all = None\n\nname: str = ""\ndecoder = nowhere_at_all\n';

const trials: Readonly<Record<string, Trial>> = {
  'a dependent that is left out is not broken': {
    files: { ...lib, ...config({ exclude: ['gen'] }), 'gen/a.py': wrong, 'b.py': 'import lib\n' },
    change: { 'lib.py': 'one: int = 1\n' },
    verdict: 'clean',
  },
  'a file that no project checks is named': {
    files: { ...lib, ...config({ include: ['src'] }), 'src/a.py': 'y = 1\n', 'tools/b.py': 'z: int = 1\n' },
    change: { 'tools/b.py': 'z: int = ""\n' },
    verdict: 'unknown',
    doubt: 'No project checks tools/b.py',
  },
  'a file that is left out still breaks those that are not': {
    files: { ...config({ exclude: ['lib.py'] }), ...lib, 'a.py': wrong },
    change: { 'lib.py': 'one: int = 1\n' },
    verdict: 'broken',
  },
  'a directory that enters the project brings its errors along': {
    files: { ...config({ exclude: ['gen'] }), 'gen/a.py': 'x: int = ""\n', 'b.py': 'y = 1\n' },
    change: config({ exclude: ['other'] }),
    verdict: 'broken',
  },
  'a directory that leaves the project takes its errors along': {
    files: { 'pyproject.toml': '[tool.pyright]\n', 'gen/a.py': 'x: int = ""\n', 'b.py': 'y = 1\n' },
    change: { 'pyproject.toml': '[tool.pyright]\nexclude = ["gen"]\n' },
    verdict: 'clean',
  },
  'a version in pyproject.toml is nothing to the checker': {
    files: { 'pyproject.toml': '[project]\nversion = "1"\n', 'a.py': 'x: int = ""\n' },
    change: { 'pyproject.toml': '[project]\nversion = "2"\n', 'a.py': 'x: int = "" # c\n' },
    verdict: 'clean',
  },
  'ignored errors stay ignored': {
    files: { ...config({ ignore: ['gen'] }), ...lib, 'gen/a.py': wrong },
    change: { 'lib.py': 'one: int = 1\n' },
    verdict: 'clean',
  },
  'an execution environment has search paths of its own': {
    files: {
      ...config({ executionEnvironments: [{ root: 'app', extraPaths: ['shared'] }] }),
      'shared/util.py': 'def f(x: int) -> int:\n    return x\n',
      'app/main.py': 'from util import f\ny: int = f(1)\n',
    },
    change: { 'shared/util.py': 'def f(x: str) -> int:\n    return 1\n' },
    verdict: 'broken',
  },
  'directories called build, dist and venv are packages like any other': {
    files: {
      'pyproject.toml': '[project]\nname = "x"\n',
      '.gitignore': 'build\n',
      'build/__init__.py': '',
      'build/step.py': 'def f(x: int) -> int:\n    return x\n',
      'dist/use.py': 'from build.step import f\ny: int = f(1)\n',
      'venv/use.py': 'from build.step import f\ny: int = f(1)\n',
    },
    change: { 'build/step.py': 'def f(x: str) -> int:\n    return 1\n' },
    verdict: 'broken',
  },
  'a stub in typings speaks for a library': {
    files: {
      ...config({ reportMissingModuleSource: false }),
      'a.py': 'import nowhere_at_all\nx: int = nowhere_at_all.f()\n',
    },
    change: { 'typings/nowhere_at_all/__init__.pyi': 'def f() -> str: ...\n' },
    verdict: 'broken',
  },
  'a stub beside a module speaks for it': {
    files: { ...config({}), ...lib, 'a.py': wrong },
    change: { 'lib.pyi': 'one: int\n' },
    verdict: 'broken',
  },
  'a library that is not installed leaves its users open': {
    files: { ...config({}), 'a.py': 'import nowhere_at_all as n\nx = n.f(1)\n', 'b.py': 'y = 1\n' },
    change: { 'a.py': 'import nowhere_at_all as n\nx = n.f(2)\n' },
    verdict: 'unknown',
    doubt: 'pip install nowhere_at_all',
  },
  'a library that another file can do without leaves those open that name what depends on it': {
    files: { ...config({}), 'codec.py': optional, 'b.py': 'import codec\n\nx: str = codec.name\n' },
    change: { 'b.py': 'import codec\n\nx = codec.decoder\n' },
    verdict: 'unknown',
    doubt: 'nowhere_at_all',
  },
  'it leaves nothing open where no such name is mentioned': {
    files: { ...config({}), 'codec.py': optional, 'b.py': 'import codec\n\nx: str = codec.name\n' },
    change: { 'b.py': 'import codec\n\ny: str = codec.name\n' },
    verdict: 'clean',
  },
  'a library that is not installed, but whose stub pyright brings along, leaves nothing open': {
    files: { ...config({}), 'a.py': 'import yaml\nx: str = yaml.__version__\n' },
    change: { 'a.py': 'import yaml\nx: int = yaml.__version__\n' },
    verdict: 'broken',
  },
  'its users that are right are clean': {
    files: { ...config({}), 'a.py': 'import yaml\nx: str = yaml.__version__\n' },
    change: { 'a.py': 'import yaml\nx: object = yaml.__version__\n' },
    verdict: 'clean',
  },
  'a comment beside its import touches nothing that flows from it': {
    files: { ...config({}), 'a.py': 'import nowhere_at_all as n\nx = n.f(1)\n' },
    change: { 'a.py': 'import nowhere_at_all as n\n\n# Why.\nx = n.f(1)\n' },
    verdict: 'clean',
  },
  'files that do not use it are judged as ever': {
    files: { ...config({}), 'a.py': 'import nowhere_at_all as n\nx = n.f(1)\n', 'b.py': 'y = 1\n' },
    change: { 'b.py': 'y = 2\n' },
    verdict: 'clean',
  },
  'what flows from it through another file is open as well': {
    files: {
      ...config({}),
      'a.py': 'import nowhere_at_all as n\nx = n.f(1)\n',
      'b.py': 'import a\ny = a.x\n',
      'c.py': 'z = 1\n',
    },
    change: { 'b.py': 'import a\ny: int = a.x\n' },
    verdict: 'unknown',
    doubt: 'nowhere_at_all',
  },
  'the body of an annotated function is a matter of its own file': {
    files: {
      ...config({}),
      'lib.py': 'def f(x: int) -> int:\n    return x\n',
      'a.py': 'import lib\ny: int = lib.f(1)\n',
    },
    change: { 'lib.py': 'def f(x: int) -> int:\n    return str(x)\n' },
    verdict: 'broken',
  },
};

/** What the checker says of the files before and after the change of each trial. */
const judged = new Map<Trial, { readonly before: readonly string[]; readonly after: readonly string[] }>();

beforeAll(async () => {
  const all = Object.values(trials);
  const trees = all.flatMap(({ files, change }) => [files, { ...files, ...change }].map(presentFiles));
  const problems = (await judgePyrightTrees(trees, calm)).map(outlines);
  for (const [place, trial] of all.entries()) {
    const [before = [], after = []] = problems.slice(place * 2);
    judged.set(trial, { before, after });
  }
});

/** One for all trials: the server is started anew only where the configuration differs from that of the trial before. */
let world: World;

beforeAll(async () => {
  world = await World.open({});
});

afterAll(() => world?.[Symbol.asyncDispose]());

test.each(Object.entries(trials))('%s', async (_, trial) => {
  const { files, change, verdict, doubt } = trial;
  await world.replaceFiles(files);
  const session = await world.session('python');
  await session.transform(async (overlay) => {
    let changed = overlay;
    for (const [path, text] of Object.entries(change)) {
      const at = world.workspace.path(path);
      await overlay.read(at);
      changed = text === undefined ? changed.remove(at) : changed.write(at, { kind: 'text', text });
    }
    return changed;
  }, calm);
  const evaluation = await world.evaluate(session, 'workspace');
  await world.sessions.destroy(session.id);
  const found = {
    introduced: evaluation.introduced.map(({ path, diagnostic }) => `${path} ${diagnostic.code}`).sort(),
    resolved: evaluation.resolved.map(({ path, diagnostic }) => `${path} ${diagnostic.code}`).sort(),
  };
  const { before, after } = judged.get(trial) ?? { before: [], after: [] };
  expect({ doubts: evaluation.doubts, ...found }).toMatchObject({
    introduced: without(after, before),
    resolved: without(before, after),
  });
  expect(verdictOf(evaluation).kind).toBe(verdict);
  if (doubt !== undefined) expect(evaluation.doubts.join(' ')).toContain(doubt);
});

/** Not among the trials, whose compiler reads many trees at once and searches the source root of none. */
test.each([
  ['is found by its name', 'one: str = ""\n', { kind: 'clean' }],
  ['is judged there', 'one: int = 1\n', { kind: 'broken', in: ['tests/a.py'] }],
])('a package that a change moves to a new source root %s', async (_, text, verdict) => {
  await using own = await World.open({
    ...config({}),
    'lib/__init__.py': 'one: str = ""\n',
    'tests/a.py': wrong,
  });
  const change = { 'lib/__init__.py': 'removed', 'src/lib/__init__.py': text } as const;
  expect(await judgeChange(own, change)).toMatchObject(verdict);
});

function presentFiles(files: Change): WorkspaceFiles {
  const present = Object.entries(files).flatMap(([path, text]) => (text === undefined ? [] : [[path, text]]));
  return Object.fromEntries(present);
}

function outlines(problems: readonly { readonly path: string; readonly code: string }[]): readonly string[] {
  return problems.map(({ path, code }) => `${path} ${code}`).sort();
}

function without(list: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return list.filter((each) => {
    const at = left.indexOf(each);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

test('a judged change that another program saves is the baseline of the next question', async () => {
  const broken = {
    ...config({}),
    'lib.py': 'def f(x: int):\n    return x\n',
    'a.py': 'import lib\ny: int = lib.f("")\n',
  };
  await using world = await World.open(broken);
  const fix = 'def f(x: str):\n    return 1\n';
  const comment = async () => {
    const session = await world.session('python');
    await world.replace(session, 'a.py', { replace: 'import lib\n', with: 'import lib\nprint()\n' });
    const { introduced, resolved, confidence } = await world.evaluate(session, 'workspace');
    await world.sessions.destroy(session.id);
    return { introduced, resolved, confidence };
  };
  const nothing = { introduced: [], resolved: [], confidence: 'high' };
  expect(await comment()).toEqual(nothing);
  for (const scope of ['file', 'workspace'] as const) {
    for (const text of [fix, broken['lib.py']]) {
      const session = await world.session('python');
      await world.replace(session, 'lib.py', { replace: await world.read('lib.py'), with: text });
      await world.evaluate(session, scope);
      writeFileSync(join(world.root, 'lib.py'), text);
      expect(await comment()).toEqual(nothing);
      expect(await baselineOf(world, 'a.py')).toHaveLength(text === fix ? 0 : 1);
      await world.sessions.destroy(session.id);
    }
  }
});

async function baselineOf(world: World, path: string): Promise<readonly string[]> {
  const { live } = world;
  const at = world.workspace.path(path);
  const plan = await live.servers.planProjection(
    live.emptyOverlay(),
    { language: live.languageFor(at) },
    calm,
  );
  const answers = await live.baselines.diagnostics(plan, [at], { timeoutMs: 100_000 }, calm);
  return answers.flatMap(({ diagnostics }) => diagnostics.map(({ message }) => message));
}

test('an edit below a source root that is there is shown to the running server', async () => {
  await using world = await World.open({ 'src/a.py': 'x = 1\n', 'b.py': 'from a import x\n' });
  const { live } = world;
  const edited = live.emptyOverlay().writeText(world.workspace.path('src/a.py'), 'x = 2\n');
  const serverFor = async (overlay: typeof edited): Promise<unknown> => {
    const plan = await live.servers.planProjection(overlay, { language: languageId('python') }, calm);
    await using lease = await live.servers.lease(plan, calm);
    return lease.server;
  };
  expect(await serverFor(edited)).toBe(await serverFor(live.emptyOverlay()));
});

test('a source root that another program makes is searched by the running server', async () => {
  await using world = await World.open({ ...config({}), 'tests/a.py': 'x: int = 1\n' });
  expect(await judgeChange(world, { 'tests/a.py': 'x: int = 2\n' })).toEqual({ kind: 'clean' });
  mkdirSync(join(world.root, 'src/lib'), { recursive: true });
  writeFileSync(join(world.root, 'src/lib/__init__.py'), 'one: int = 1\n');
  const change = { 'tests/a.py': wrong };
  expect(await judgeChange(world, change)).toMatchObject({ kind: 'broken', errors: 1 });
  const right = { 'tests/a.py': 'import lib\nx: int = lib.one\n' };
  expect(await judgeChange(world, right)).toEqual({ kind: 'clean' });
});

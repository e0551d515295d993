/** A workspace with several TypeScript projects is judged as the compiler judges each of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkOverlay } from '../../src/evaluation/local-evaluator.ts';
import type { Overlay } from '../../src/overlay/overlay.ts';
import { languageId } from '../../src/servers/language.ts';
import type { Scope } from '../../src/servers/projection.ts';
import { calm, World } from '../support/world.ts';

const options = {
  strict: true,
  lib: ['es2023'],
  noEmit: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
};

const files = {
  'tsconfig.json': JSON.stringify({
    files: [],
    references: [{ path: './tsconfig.build.json' }, { path: './tsconfig.loose.json' }, { path: './tools' }],
  }),
  'tsconfig.build.json': JSON.stringify({
    compilerOptions: { ...options, noUnusedParameters: true },
    include: ['src'],
    exclude: ['**/*.test.ts'],
  }),
  'tsconfig.loose.json': JSON.stringify({
    compilerOptions: { ...options, strict: false, strictNullChecks: true, noUncheckedIndexedAccess: true },
    include: ['src'],
  }),
  'tools/tsconfig.json': JSON.stringify({ compilerOptions: { ...options, lib: ['es2022'] }, include: ['.'] }),
  'src/value.ts': 'export function value(text: string): number {\n  return text.length;\n}\n',
  'src/user.ts': "import { value } from './value';\nexport const half = value('a') / 2;\n",
  'src/user.test.ts': "import { half } from './user';\nexport const same: number = half;\n",
  'tools/run.ts': "import { value } from '../src/value';\nexport const run = value('b');\n",
  'scratch.ts': 'export const scratch: number = 1;\n',
};

describe('several projects over the same files', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(files);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const judged = (texts: Readonly<Record<string, string | undefined>>, scope: Scope = 'workspace') =>
    judgedIn(world, texts, scope);

  test('a comment is clean in all of them', async () => {
    expect(await judged({ 'src/value.ts': `// more\n${files['src/value.ts']}` })).toMatchObject({
      verdict: 'clean',
      confidence: ['high'],
    });
  });

  test('each project finds what its own options ask for, and each finding is told once', async () => {
    const text = `${files['src/value.ts']}export function first(list: number[], unused: string): number {\n  return list[0];\n}\nexport const wrong: number = 'a';\n`;
    for (const scope of ['file', 'workspace'] as const) {
      expect((await judged({ 'src/value.ts': text }, scope)).introduced).toEqual([
        'src/value.ts:4 TS6133',
        'src/value.ts:5 TS2322',
        'src/value.ts:7 TS2322',
      ]);
    }
  });

  test('users are found in every project, and in those that only import it', async () => {
    const text = 'export function value(text: number): number {\n  return text;\n}\n';
    expect(await judged({ 'src/value.ts': text })).toMatchObject({
      verdict: 'broken',
      introduced: ['src/user.ts:2 TS2345', 'tools/run.ts:2 TS2345'],
      confidence: ['high'],
    });
  });

  test('a deleted file breaks its importers', async () => {
    expect((await judged({ 'src/value.ts': undefined })).introduced).toEqual([
      'src/user.ts:1 TS2307',
      'tools/run.ts:1 TS2307',
    ]);
  });

  test('a file in a new directory is found by its importer', async () => {
    const texts = {
      'src/deep/new/part.ts': "export const part: string = 'a';\n",
      'src/user.ts': "import { part } from './deep/new/part';\nexport const half: number = part;\n",
    };
    expect((await judged(texts)).introduced).toEqual(['src/user.ts:2 TS2322']);
  });

  test('a file that no project holds is not called broken, nor clean', async () => {
    for (const scope of ['file', 'workspace'] as const) {
      const outcome = await judged({ 'scratch.ts': "export const scratch: number = 'a';\n" }, scope);
      expect(outcome).toMatchObject({ verdict: 'unknown', introduced: [] });
      expect(outcome.doubts.join()).toContain('No project checks scratch.ts');
    }
  });

  test('an unchanged file that no project holds is asked about only where every file counts', async () => {
    const { live, workspace } = world;
    const language = languageId('typescript');
    const plan = await live.servers.planProjection(
      live.emptyOverlay(),
      { language, scope: 'workspace' },
      calm,
    );
    const asked = async (heldOnly: boolean) => {
      const paths = ['src/value.ts', 'scratch.ts'].map((path) => workspace.path(path));
      const answers = await live.baselines.diagnostics(plan, paths, { timeoutMs: 60_000, heldOnly }, calm);
      return answers.map(({ isUnowned = false, isUnasked = false }) => ({ isUnowned, isUnasked }));
    };
    const held = { isUnowned: false, isUnasked: false };
    await live.syncWithDisk(calm);
    expect(await asked(true)).toEqual([held, { isUnowned: true, isUnasked: true }]);
    expect(await asked(false)).toEqual([held, { isUnowned: true, isUnasked: false }]);
    await using fresh = await World.open(files);
    const spared = await judgedIn(fresh, {
      'src/value.ts': `${files['src/value.ts']}declare global {\n  var g: number;\n}\n`,
    });
    expect(spared).toMatchObject({ verdict: 'clean', confidence: ['high'] });
  });

  test('what is wrong with a project itself is told at its configuration', async () => {
    const broken = { compilerOptions: { ...options, strikt: true, target: 'es1' }, include: ['src'] };
    const { introduced, verdict } = await judged({ 'tsconfig.loose.json': JSON.stringify(broken) });
    expect(verdict).toBe('broken');
    expect(introduced).toEqual(
      expect.arrayContaining(['tsconfig.loose.json:1 TS5023', 'tsconfig.loose.json:1 TS6046']),
    );
  });

  test('a project that loses its files says so', async () => {
    const empty = { compilerOptions: options, include: ['nowhere'] };
    const { introduced } = await judged({ 'tools/tsconfig.json': JSON.stringify(empty) });
    expect(introduced).toEqual(['tools/tsconfig.json:1 TS18003']);
  });

  test('a stricter option is judged in the files of its project alone', async () => {
    const strict = {
      compilerOptions: {
        ...options,
        noImplicitReturns: true,
        exactOptionalPropertyTypes: true,
        isolatedDeclarations: true,
        declaration: true,
      },
      include: ['src'],
    };
    const { introduced } = await judged({ 'tsconfig.loose.json': JSON.stringify(strict) });
    expect(introduced).toEqual(['src/user.ts:2 TS9010']);
  });
});

describe('configurations that extend others', () => {
  const shared = {
    'tsconfig.base.json': JSON.stringify({ compilerOptions: options }),
    'tsconfig.json': JSON.stringify({ extends: './tsconfig.base.json', include: ['src'] }),
    'tsconfig.dist.json': JSON.stringify({ extends: './tsconfig', include: ['src'] }),
    'package.json': JSON.stringify({ scripts: { build: 'tsc -p tsconfig.dist.json' } }),
    'package-lock.json': JSON.stringify({ lockfileVersion: 3 }),
    'src/value.ts': 'export const value = 1;\n',
  };
  let world: World;
  beforeAll(async () => {
    world = await World.open(shared);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  test.each([
    ['tsconfig.base.json', { compilerOptions: { ...options, strikt: true } }],
    [
      'tsconfig.json',
      { extends: './tsconfig.base.json', compilerOptions: { strikt: true }, include: ['src'] },
    ],
    ['tsconfig.dist.json', { extends: './tsconfig', compilerOptions: { strikt: true }, include: ['src'] }],
  ])('what is wrong in %s is told there, once', async (path, config) => {
    const { introduced, verdict } = await judgedIn(world, { [path]: JSON.stringify(config) });
    expect({ introduced, verdict }).toEqual({ introduced: [`${path}:1 TS5023`], verdict: 'broken' });
  });

  test('a lock file that does not parse is broken, one that does is clean', async () => {
    const { introduced, verdict } = await judgedIn(world, { 'package-lock.json': '{"lockfileVersion":' });
    expect({ introduced, verdict }).toEqual({
      introduced: ['package-lock.json:1 TSValueExpected'],
      verdict: 'broken',
    });
    expect(await judgedIn(world, { 'package-lock.json': '{"lockfileVersion":2}' })).toMatchObject({
      verdict: 'clean',
    });
  });
});

describe('a configuration that decides which files are checked', () => {
  const skipping = { ...options, skipLibCheck: true };
  const sources = {
    'package.json': JSON.stringify({ name: 'app', scripts: { build: 'tsc -p tsconfig.build.json' } }),
    'tsconfig.json': JSON.stringify({ compilerOptions: skipping, include: ['src'] }),
    'tsconfig.build.json': JSON.stringify({ compilerOptions: skipping, include: ['src', 'extra'] }),
    'src/value.ts': 'export const value = 1;\n',
    'extra/old.ts': "export const old: number = 'text';\n",
    'more/fresh.ts': "export const fresh: number = 'text';\n",
  };
  let world: World;
  beforeAll(async () => {
    world = await World.open(sources);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const including = (include: readonly string[], more: object = {}) => ({
    'tsconfig.build.json': JSON.stringify({ compilerOptions: { ...skipping, ...more }, include }),
  });

  test('introduces the errors of files that enter a project', async () => {
    expect(await judgedIn(world, including(['src', 'extra', 'more']))).toMatchObject({
      verdict: 'broken',
      introduced: ['more/fresh.ts:1 TS2322'],
      doubts: [],
    });
  });

  test('resolves those of files that leave all projects, and is clean', async () => {
    expect(await judgedIn(world, including(['src']))).toMatchObject({
      verdict: 'clean',
      introduced: [],
      resolved: ['extra/old.ts:1 TS2322'],
      doubts: [],
    });
  });

  test('is judged where declarations of libraries are checked, as long as these have the same errors', async () => {
    expect(await judgedIn(world, including(['src'], { skipLibCheck: false }))).toMatchObject({
      verdict: 'clean',
      resolved: ['extra/old.ts:1 TS2322'],
      doubts: [],
    });
  });
});

describe('the only project', () => {
  const layout = {
    'tsconfig.json': JSON.stringify({ compilerOptions: options, include: ['src'] }),
    'src/value.ts': files['src/value.ts'],
    'src/user.ts': files['src/user.ts'],
    'outside.ts': "import { value } from './src/value';\nexport const outside = value('a');\n",
  };
  const taking = (type: string) => ({
    'src/value.ts': `export function value(text: ${type}): number {\n  return text ? 1 : 2;\n}\n`,
  });
  const breaksUser = { verdict: 'broken', introduced: ['src/user.ts:2 TS2345'], confidence: ['high'] };

  test('is judged by the same files, edit after edit, without a file that it leaves out', async () => {
    await using world = await World.open(layout);
    for (const type of ['number', 'boolean', 'bigint'])
      expect(await judgedIn(world, taking(type))).toMatchObject(breaksUser);
    expect(await judgedIn(world, { 'outside.ts': `// more\n${layout['outside.ts']}` })).toMatchObject({
      verdict: 'unknown',
    });
  });

  test('reports unused names and lost code as the compiler does, also if it is first asked about several files', async () => {
    const strict = { noUnusedLocals: true, allowUnreachableCode: false };
    const configuration = { compilerOptions: { ...options, ...strict }, include: ['src'] };
    await using world = await World.open({ ...layout, 'tsconfig.json': JSON.stringify(configuration) });
    const texts = {
      'src/value.ts':
        'export function value(text: string): number {\n  return text.length;\n  return 2;\n}\n',
      'src/user.ts': `${files['src/user.ts']}const unused = 1;\n`,
    };
    expect(await judgedIn(world, texts)).toMatchObject({
      verdict: 'broken',
      introduced: ['src/user.ts:3 TS6133', 'src/value.ts:3 TS7027'],
    });
  });

  test('takes in what the disk adds to it between two edits', async () => {
    await using world = await World.open(layout);
    expect(await judgedIn(world, taking('number'))).toMatchObject(breaksUser);
    await world.write('src/late.ts', files['src/user.ts'].replace('half', 'late'));
    const withLate = { ...breaksUser, introduced: ['src/late.ts:2 TS2345', ...breaksUser.introduced] };
    for (const type of ['boolean', 'bigint'])
      expect(await judgedIn(world, taking(type))).toMatchObject(withLate);
    const whole = JSON.stringify({ compilerOptions: options });
    await world.write('tsconfig.json', whole);
    for (const type of ['number', 'boolean'])
      expect(await judgedIn(world, taking(type))).toMatchObject({
        introduced: ['outside.ts:2 TS2345', ...withLate.introduced],
      });
  });

  test('knows under an edit which files it holds without asking the server', async () => {
    await using world = await World.open(layout);
    await judgedIn(world, taking('number'));
    const overlay = world.live.emptyOverlay();
    const at = world.workspace.path('src/value.ts');
    const edited = overlay.write(at, { kind: 'text', text: taking('boolean')['src/value.ts'] });
    const language = languageId('typescript');
    const plan = await world.live.servers.planProjection(edited, { language, scope: 'workspace' }, calm);
    await using lease = await world.live.servers.lease(plan, calm);
    const paths = ['src/value.ts', 'src/user.ts', 'outside.ts'].map((path) => world.workspace.path(path));
    expect([...(lease.projects?.heldAsOnDisk?.(paths) ?? [])]).toEqual(paths.slice(0, 2));
  });
});

describe('a project that another one extends', () => {
  const layout = {
    'tsconfig.build.json': JSON.stringify({ extends: './tsconfig.json', exclude: ['**/*.test.ts'] }),
    'tsconfig.json': JSON.stringify({ compilerOptions: options }),
    'package.json': JSON.stringify({ scripts: { build: 'tsc -p tsconfig.build.json' } }),
    'src/value.ts': files['src/value.ts'],
  };
  const user = "import { value } from './value';\nexport const half = value('a') / 2;\n";

  test('checks a file that an overlay creates', async () => {
    await using world = await World.open(layout);
    const created = (text: string) => judgedIn(world, { 'src/new.test.ts': text });
    expect(await created(user)).toMatchObject({ verdict: 'clean', confidence: ['high'] });
    expect(await judgedIn(world, { 'src/value.ts': `// more\n${files['src/value.ts']}` })).toMatchObject({
      verdict: 'clean',
    });
    expect((await created(user.replace("'a'", '1'))).introduced).toEqual(['src/new.test.ts:2 TS2345']);
  });

  test('checks a file that was created on disk meanwhile', async () => {
    await using world = await World.open(layout);
    const changed = files['src/value.ts'].replace('text: string', 'text: string[]');
    expect(await judgedIn(world, { 'src/value.ts': changed })).toMatchObject({ verdict: 'clean' });
    await world.write('src/user.test.ts', user);
    expect((await judgedIn(world, { 'src/value.ts': changed })).introduced).toEqual([
      'src/user.test.ts:2 TS2345',
    ]);
  });
});

describe('a library that is missing in another project', () => {
  const project = JSON.stringify({ compilerOptions: options, include: ['.'] });
  const apart = {
    'lib/tsconfig.json': project,
    'lib/value.ts': 'export const value: number = 1;\n',
    'lib/user.ts': "import { value } from './value';\nexport const half = value / 2;\n",
    'lib/package.json': JSON.stringify({ name: 'the-lib' }),
    'example/tsconfig.json': project,
    'example/main.ts': "import { run } from 'the-lib';\nimport other from 'elsewhere';\nrun(other);\n",
  };
  // What is declared for every file reaches every file.
  const everywhere = 'declare global {\n  interface Marker {\n    a: number;\n  }\n}\n';
  const inLib = { 'lib/value.ts': `${apart['lib/value.ts']}${everywhere}` };
  const inExample = { 'example/main.ts': `${apart['example/main.ts']}${everywhere}` };

  test('leaves no doubt where its project holds no changed file', async () => {
    await using world = await World.open(apart);
    expect(await judgedIn(world, inLib)).toMatchObject({ verdict: 'clean', doubts: [] });
    expect(await judgedIn(world, { 'lib/value.ts': undefined })).toMatchObject({
      introduced: ['lib/user.ts:1 TS2307'],
      confidence: ['high'],
    });
    // In the project of the changed file it does.
    expect(await judgedIn(world, inExample)).toMatchObject({ verdict: 'unknown' });
  });

  test('leaves no doubt where its project is configured as before', async () => {
    await using world = await World.open(apart);
    const configured = (changed: object) =>
      JSON.stringify({ compilerOptions: { ...options, ...changed }, include: ['.'] });
    expect(
      await judgedIn(world, { 'lib/tsconfig.json': configured({ noImplicitReturns: true }) }),
    ).toMatchObject({
      verdict: 'clean',
      doubts: [],
    });
    const { introduced, confidence } = await judgedIn(world, {
      'lib/tsconfig.json': configured({ lib: [] }),
    });
    expect(introduced.length).toBeGreaterThan(0);
    // A server for JSON may judge the file as well.
    expect(new Set(confidence)).toEqual(new Set(['high']));
    // Where it is configured otherwise it does.
    const example = { 'example/tsconfig.json': configured({ noImplicitReturns: true }) };
    expect(await judgedIn(world, example)).toMatchObject({ verdict: 'unknown' });
  });

  test('leaves one where it is a package that an installation links', async () => {
    const manifest = JSON.stringify({ private: true, workspaces: ['lib', 'example'] });
    await using world = await World.open({ ...apart, 'package.json': manifest });
    const { verdict, doubts } = await judgedIn(world, inLib);
    expect(verdict).toBe('unknown');
    expect(doubts.join()).toContain('the-lib');
  });

  test('leaves none where the example is no member, and asks for a version of a registry', async () => {
    const manifest = JSON.stringify({ private: true, workspaces: ['lib'] });
    const example = JSON.stringify({ name: 'example', dependencies: { 'the-lib': '^1.0.0' } });
    await using world = await World.open({
      ...apart,
      'package.json': manifest,
      'example/package.json': example,
    });
    expect(await judgedIn(world, inLib)).toMatchObject({ verdict: 'clean', doubts: [] });
  });
});

async function judgedIn(
  world: World,
  texts: Readonly<Record<string, string | undefined>>,
  scope: Scope = 'workspace',
) {
  let overlay: Overlay = world.live.emptyOverlay();
  for (const [path, text] of Object.entries(texts)) {
    const at = world.workspace.path(path);
    overlay = text === undefined ? overlay.remove(at) : overlay.write(at, { kind: 'text', text });
  }
  const { evaluations, verdict } = await checkOverlay(
    world.live,
    { overlay, scope, timeoutMs: 60_000 },
    calm,
  );
  const reported = (kind: 'introduced' | 'resolved') =>
    evaluations
      .flatMap((evaluation) => evaluation[kind])
      .filter(({ diagnostic }) => diagnostic.severity === 'error')
      .map(({ path, diagnostic }) => `${path}:${diagnostic.range.start.line + 1} TS${diagnostic.code}`);
  return {
    verdict: verdict.kind,
    introduced: reported('introduced'),
    resolved: reported('resolved'),
    confidence: evaluations.map(({ confidence }) => confidence),
    doubts: evaluations.flatMap(({ doubts }) => doubts),
  };
}

describe('a composite project that does not list all of its files', () => {
  const composite = { ...options, noEmit: undefined, composite: true };
  const unlisted = {
    'tsconfig.json': JSON.stringify({ compilerOptions: composite, include: ['app'] }),
    'app/main.ts':
      "import { a } from '../lib/a';\nimport { b } from '../lib/b';\nexport const sum = a + b;\n",
    'app/more.ts':
      "import { b } from '../lib/b';\nimport { a } from '../lib/a';\nexport const more = a - b;\n",
    'lib/a.ts': "import { b } from './b';\nexport const a: number = b;\n",
    'lib/b.ts': 'export const b: number = 1;\n',
    'lib/late.ts': 'export const late: number = 1;\n',
  };

  test('its errors are not those of an edit that adds none', async () => {
    await using world = await World.open(unlisted);
    // Until a listed file is asked about, the server takes one that is not listed to be in no project.
    for (const path of ['app/main.ts', 'lib/a.ts', 'lib/b.ts', 'lib/a.ts', 'app/more.ts'] as const)
      expect(await judgedIn(world, { [path]: `// more\n${unlisted[path]}` })).toMatchObject({
        verdict: 'clean',
        confidence: ['high'],
        doubts: [],
      });
    const changed = unlisted['lib/a.ts'].replace('number = b', 'string = b');
    expect((await judgedIn(world, { 'lib/a.ts': changed })).introduced).toContain('lib/a.ts:2 TS2322');
  });

  test('a file that it begins to import without listing it is never clean', async () => {
    await using world = await World.open(unlisted);
    const text = `import { late } from './late';\nexport const b: number = late;\n`;
    await judgedIn(world, { 'app/main.ts': unlisted['app/main.ts'] });
    const { verdict, confidence } = await judgedIn(world, { 'lib/b.ts': text });
    expect(verdict).not.toBe('clean');
    expect(confidence).not.toEqual(['high']);
  });
});

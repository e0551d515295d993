/** What is clean in C++ rests on how units are compiled, and on clangd's last word instead of its first. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Evaluation, verdictOf } from '../../src/evaluation/evaluation.ts';
import type { Scope } from '../../src/servers/projection.ts';
import { isOnPath } from '../support/on-path.ts';
import { World } from '../support/world.ts';

const wrongs = Array.from({ length: 30 }, (_, place) => `int f${place}() { return wrong${place}; }\n`).join(
  '',
);

const files = {
  'include/math.hpp': '#pragma once\nint add(int a, int b);\nconstexpr int zero = 0;\n',
  'include/lone.hpp': '#pragma once\ninline int lonely() { return 1; }\n',
  'src/app.cpp': '#include "math.hpp"\n#define LIMIT 3\n\nint sum() { return add(LIMIT, zero); }\n',
  'src/many.cpp': `${wrongs}int last() { return 1; }\n`,
  'src/outside.cpp': '#include "math.hpp"\n\nint outside() { return zero; }\n',
};

describe.skipIf(!isOnPath('clangd'))('a C++ workspace with a database', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(files);
    const units = ['src/app.cpp', 'src/many.cpp'];
    const entry = (file: string) => ({
      directory: world.root,
      file,
      arguments: ['c++', '-Iinclude', '-c', file],
    });
    await world.write('compile_commands.json', JSON.stringify(units.map(entry)));
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  const judge = async (path: string, replace: string, by: string, scope: Scope): Promise<Evaluation> => {
    const session = await world.session('cpp');
    await world.replace(session, path, { replace, with: by });
    const evaluation = await world.evaluate(session, scope);
    await world.sessions.destroy(session.id);
    return evaluation;
  };
  const scopes = ['file', 'workspace'] as const;

  test.each([
    ['a definition', '#define LIMIT 3\n'],
    ['an inclusion', '#include "math.hpp"\n'],
  ])('%s that is taken away breaks its uses, however often it is asked', async (_, text) => {
    for (const scope of [...scopes, ...scopes]) {
      expect(verdictOf(await judge('src/app.cpp', text, '', scope)).kind).toBe('broken');
      expect(verdictOf(await judge('src/app.cpp', 'int sum', '// sum\nint sum', scope)).kind).toBe('clean');
    }
  });

  test('what a dropped edit did to a header is not seen by the next question', async () => {
    const broken = await judge('include/math.hpp', 'constexpr int zero = 0;\n', '', 'workspace');
    expect(broken.introduced.map(({ path }) => path)).toContain('src/app.cpp');
    const clean = await judge('include/math.hpp', 'int add', '// add\nint add', 'workspace');
    expect(clean).toMatchObject({ introduced: [], resolved: [], confidence: 'high' });
  });

  test('a unit is checked to its end, however many errors it has', async () => {
    for (const scope of scopes) {
      const behind = await judge(
        'src/many.cpp',
        'int last() { return 1; }',
        'int last() { return no; }',
        scope,
      );
      expect(behind).toMatchObject({ introduced: [{ path: 'src/many.cpp' }], confidence: 'high' });
      const fewer = await judge('src/many.cpp', 'int f0() { return wrong0; }\n', '', scope);
      expect(fewer).toMatchObject({ introduced: [], resolved: [{ path: 'src/many.cpp' }] });
      expect(verdictOf(fewer).kind).toBe('clean');
      const more = await judge('src/app.cpp', 'int sum', `${wrongs}int sum`, scope);
      expect(verdictOf(more).kind).toBe('broken');
      expect(more).toMatchObject({ confidence: 'high', introduced: { length: 30 } });
    }
  });

  test.each([
    ['a unit that is not listed', 'src/outside.cpp', 'int outside', 'does not list'],
    ['a header that no unit includes', 'include/lone.hpp', 'inline', 'No unit'],
  ])('%s is not clean', async (_, path, word, reason) => {
    for (const scope of scopes) {
      const evaluation = await judge(path, word, `// a comment\n${word}`, scope);
      expect(verdictOf(evaluation).kind).toBe('unknown');
      expect(evaluation.doubts.join(' ')).toContain(reason);
    }
  });

  test('a unit that no compiler run would read does not break', async () => {
    const evaluation = await judge('include/math.hpp', 'constexpr int zero = 0;\n', '', 'workspace');
    expect(evaluation.introduced.map(({ path }) => path)).not.toContain('src/outside.cpp');
  });
});

test.skipIf(!isOnPath('clangd'))(
  'without a database nothing is clean, and the doubt says how to get one',
  async () => {
    await using world = await World.open(files);
    const session = await world.session('cpp');
    await world.replace(session, 'src/app.cpp', { replace: 'int sum', with: '// sum\nint sum' });
    const evaluation = await world.evaluate(session);
    expect(verdictOf(evaluation).kind).toBe('unknown');
    expect(evaluation.doubts.join(' ')).toContain('compile_commands.json');
  },
);

/** Errors of C and C++ headers are those that the compiler prints for the units: all of them, and at their places. */
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Evaluation, verdictOf } from '../../src/evaluation/evaluation.ts';
import type { Scope } from '../../src/servers/projection.ts';
import { cppProblems } from '../support/compilers/cpp-compiler.ts';
import { isOnPath } from '../support/on-path.ts';
import { World } from '../support/world.ts';

const files = {
  'include/shape.h':
    '#pragma once\n#include <memory>\nstruct Hidden;\nstruct Shape {\n  ~Shape();\n  int area(int a) const;\n  std::unique_ptr<Hidden> hidden;\n};\n#include "shape_impl.h"\n',
  // Needs the class of the header that includes it.
  'include/shape_impl.h':
    '#pragma once\n\ninline int Shape::area(int a) const {\n  int twice = a + a;\n  return twice;\n}\n',
  'include/hidden.h': '#pragma once\nstruct Hidden { int value = 0; };\n',
  'include/box.h':
    '#pragma once\n#include <vector>\n\ntemplate <class T> struct Box {\n  std::vector<T> items;\n  int first() { return items[0].value; }\n};\ninline int size_of(const std::vector<int>& all) { return static_cast<int>(all.size()); }\n',
  'src/shape.cpp':
    '#include "shape.h"\n#include "hidden.h"\n\nShape::~Shape() = default;\nint use(const Shape& shape) { return shape.area(2); }\n',
  'src/box.cpp':
    '#include <vector>\n#include "box.h"\n#include "hidden.h"\n\nint boxed(Box<Hidden>& box) { return box.first(); }\nint plain() { return size_of({1, 2}); }\n',
  'src/plain.c': '#include "plain.h"\n\nint twice(int a) { return add(a, a); }\n',
  'include/plain.h':
    '#ifndef PLAIN_H\n#define PLAIN_H\nstatic inline int add(int a, int b) { return a + b; }\n#endif\n',
  'src/strict.cpp': '#include "strict.h"\n\nint strict() { return one(); }\n',
  'include/strict.h': '#pragma once\ninline int one() { return 1; }\n',
  'include/level.h': '#pragma once\nenum class Level { low, high };\n',
  'include/names.h':
    '#pragma once\n#include "level.h"\n\ninline bool is_high(Level a) { return a == Level::high; }\n\ninline Level highest() { return Level::high; }\n',
  'src/names.cpp': '#include "names.h"\n\nbool named() { return is_high(highest()); }\n',
  // Of no unit that the database lists.
  'tests/mock.h': '#pragma once\n#include "nowhere/mock.h"\n#include "../include/shape.h"\n',
};

const compilers = {
  cpp: ['g++', '-std=c++17', '-pedantic-errors', '-Iinclude'],
  c: ['gcc', '-std=c89', '-Dinline=__inline__', '-pedantic-errors', '-Iinclude'],
};

const commandOf = (unit: string): readonly string[] => [
  ...(unit.endsWith('.c') ? compilers.c : compilers.cpp),
  ...(unit.endsWith('strict.cpp') ? ['-Wall', '-Werror'] : []),
  '-c',
  unit,
];
const units = Object.keys(files).filter((path) => path.startsWith('src/'));

/** The lines with errors, by the compiler. */
function compiled(root: string): readonly string[] {
  const places = units.flatMap((unit) => {
    const [program = '', ...words] = commandOf(unit);
    try {
      execFileSync(program, [...words, '-fsyntax-only'], { cwd: root, stdio: 'pipe' });
      return [];
    } catch (thrown) {
      const stderr = thrown instanceof Error && 'stderr' in thrown ? String(thrown.stderr) : '';
      return cppProblems(stderr, root, root).map(({ path, line }) => `${path}:${line}`);
    }
  });
  return [...new Set(places)].sort();
}

const isReady = isOnPath('clangd') && isOnPath('g++') && isOnPath('gcc');

describe.skipIf(!isReady)('headers of a workspace with a database', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open(files);
    const entry = (file: string) => ({ directory: world.root, file, arguments: commandOf(file) });
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

  const errorsOf = ({ introduced }: Evaluation): readonly string[] => [
    ...new Set(
      introduced
        .filter(({ diagnostic }) => diagnostic.severity === 'error')
        .map(({ path, diagnostic }) => `${path}:${diagnostic.range.start.line + 1}`),
    ),
  ];

  /** What the compiler says of the same change, made on a copy. */
  const truth = async (path: keyof typeof files, replace: string, by: string): Promise<readonly string[]> => {
    expect(files[path]).toContain(replace);
    await using copy = await World.open({ ...files, [path]: files[path].replace(replace, by) });
    return compiled(copy.root);
  };

  const changes: readonly [string, keyof typeof files, string, string][] = [
    ['a body of a header that needs its includer', 'include/shape_impl.h', 'a + a', 'a + missing'],
    [
      'a new function of such a header',
      'include/shape_impl.h',
      'inline',
      'inline int twice(Shape& s) { return s.area(1); }\ninline',
    ],
    ['a comment in such a header', 'include/shape_impl.h', 'inline', '// a comment\ninline'],
    [
      'two bodies of a header',
      'include/box.h',
      'static_cast<int>(all.size()); }',
      'all.sized(); }\ninline int two() { return none; }',
    ],
    ['what a template of a header needs', 'include/hidden.h', 'value', 'worth'],
    ['what a template of the library needs', 'src/shape.cpp', '#include "hidden.h"\n', ''],
    ['an include that every unit has anyway', 'include/box.h', '#include <vector>\n', ''],
    ['a body of a C header', 'include/plain.h', 'a + b', 'a + c'],
    [
      'a declaration after a statement in a C unit',
      'src/plain.c',
      'return add',
      'a = 1; int b = 2; return add',
    ],
    [
      'a warning that the flags make an error',
      'include/strict.h',
      '{ return 1; }',
      '{\n  int unused = 2;\n  return 1;\n}',
    ],
    ['a harmless edit of a C unit', 'src/plain.c', 'a, a', 'a, 2'],
  ];

  test('a header that no listed unit includes is not asked about', async () => {
    const evaluation = await judge('include/shape.h', 'int a)', 'long a)', 'workspace');
    expect(evaluation.evaluatedFiles).not.toContain('tests/mock.h');
    expect(evaluation.doubts.join()).not.toContain('nowhere');
    const harmless = await judge(
      'include/shape.h',
      'int area',
      'int other() const { return 1; }\n  int area',
      'workspace',
    );
    expect(verdictOf(harmless)).toEqual({ kind: 'clean' });
  });

  test.each(changes)('%s: the lines are those of the compiler', async (_, path, replace, by) => {
    const expected = await truth(path, replace, by);
    const evaluation = await judge(path, replace, by, 'workspace');
    expect([...errorsOf(evaluation)].sort()).toEqual(expected);
    expect(verdictOf(evaluation).kind).toBe(expected.length > 0 ? 'broken' : 'clean');
  });

  test('every use in another header is listed, though a unit shows one error of each include', async () => {
    const change = ['include/level.h', ', high', ''] as const;
    const expected = await truth(...change);
    expect(expected).toEqual(['include/names.h:4', 'include/names.h:6']);
    const evaluation = await judge(...change, 'workspace');
    expect([...errorsOf(evaluation)].sort()).toEqual(expected);
    expect(evaluation).toMatchObject({ doubts: [], confidence: 'high' });
    expect(evaluation.evaluatedFiles).toEqual(['include/level.h', 'include/names.h', 'src/names.cpp']);
  });

  test('a header that rests on a broken one, and does not include it, may have errors of its own', async () => {
    const change = [
      'include/shape.h',
      'int area(int a) const;',
      'Unknown x; long area(int a) const;',
    ] as const;
    const expected = await truth(...change);
    expect(expected.join()).toContain('include/shape_impl.h');
    const evaluation = await judge(...change, 'workspace');
    expect(verdictOf(evaluation).kind).toBe('broken');
    const isComplete = expected.every((line) => errorsOf(evaluation).includes(line));
    expect(isComplete || evaluation.confidence !== 'high').toBe(true);
    expect(evaluation.doubts.join()).toContain('include/shape_impl.h');
  });

  test.each(changes.filter(([, path]) => path.startsWith('include/')))(
    '%s: in file scope the lines of the header are those of the compiler',
    async (_, path, replace, by) => {
      const expected = (await truth(path, replace, by)).filter((line) => line.startsWith(`${path}:`));
      const evaluation = await judge(path, replace, by, 'file');
      expect([...errorsOf(evaluation)].sort()).toEqual(expected);
      expect(verdictOf(evaluation).kind).toBe(expected.length > 0 ? 'broken' : 'clean');
      expect(evaluation.evaluatedFiles).toEqual([path]);
    },
  );
});

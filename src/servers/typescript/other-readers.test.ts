import { expect, test } from 'vitest';
import { type BuiltProject, otherReaders } from './other-readers.ts';

const project = (config: string, files: readonly string[], outDir?: string): BuiltProject => ({
  config,
  files: new Set(files),
  project: { configFileName: `/w/${config}`, compilerOptions: { ...(outDir && { outDir }) } },
});

const core = project('core/tsconfig.json', ['/w/core/src/a.ts'], '/w/core/lib');

test.each<[string, string, readonly BuiltProject[], readonly string[]]>([
  [
    'one that reads an output is told',
    '/w/core/src/a.ts',
    [core, project('app/tsconfig.json', ['/w/app/main.ts', '/w/core/lib/a.d.ts'])],
    [
      'app/tsconfig.json reads lib/a.d.ts, which is built from core/tsconfig.json; what the change does there shows after a build.',
    ],
  ],
  [
    'one that reads the source itself is not',
    '/w/core/src/a.ts',
    [core, project('app/tsconfig.json', ['/w/core/src/a.ts', '/w/core/lib/b.d.ts'])],
    [],
  ],
  [
    'a file that is gone had an output all the same',
    '/w/core/src/gone.ts',
    [core, project('app/tsconfig.json', ['/w/core/lib/gone.d.ts'])],
    [
      'app/tsconfig.json reads lib/gone.d.ts, which is built from core/tsconfig.json; what the change does there shows after a build.',
    ],
  ],
  [
    'a directory whose name only begins alike is another',
    '/w/core/src/a.ts',
    [core, project('app/tsconfig.json', ['/w/core/library/a.d.ts'])],
    [],
  ],
])('%s', (_, file, projects, expected) => {
  expect(otherReaders(file, projects)).toEqual(expected);
});

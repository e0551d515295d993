import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseWorkspacePath, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { type ReachFamily, suffixOf } from './reach-family.ts';
import { ReachIndex } from './reach-index.ts';

const signal = new AbortController().signal;

function at(path: string): WorkspacePath {
  return parseWorkspacePath(path) ?? rootPath;
}

/** A disk in memory that counts its reads. */
function disk(texts: Record<string, string>) {
  const asked = { lists: 0, reads: [] as string[] };
  const files = {
    async list(extensions: ReadonlySet<string>) {
      asked.lists++;
      return Object.keys(texts)
        .filter((path) => extensions.has(suffixOf(path)))
        .map(at);
    },
    async readText(path: WorkspacePath) {
      asked.reads.push(path);
      return texts[path];
    },
  };
  return { texts, asked, files, open: (family: ReachFamily) => new ReachIndex({ family }, files) };
}

function edit(...paths: string[]): Map<WorkspacePath, string> {
  return new Map(paths.map((path) => [at(path), 'export {};']));
}

const chain = {
  'a.ts': 'export {};',
  'b.ts': `import './a.js';`,
  'c.ts': `import './b.js';`,
  'notes.json': '{}',
  'README.md': '',
};

test('the workspace is read once, sources and configurations only', async () => {
  const { asked, open } = disk({ ...chain, 'tsconfig.json': '{}' });
  const index = open('ecmascript');
  expect((await index.reach(edit('a.ts'), signal)).files).toEqual(['a.ts', 'b.ts', 'c.ts']);
  expect((await index.reach(edit('b.ts'), signal)).files).toEqual(['b.ts', 'c.ts']);
  expect(asked.lists).toBe(1);
  expect(asked.reads.sort()).toEqual(['a.ts', 'b.ts', 'c.ts', 'tsconfig.json']);
});

test('an event about a file is answered by reading that file', async () => {
  const { texts, asked, open } = disk({ ...chain });
  const index = open('ecmascript');
  await index.refresh(signal);
  asked.reads.length = 0;
  texts['c.ts'] = 'export {};';
  texts['d.ts'] = `import './a.js';`;
  delete texts['b.ts'];
  index.invalidate([
    { path: at('b.ts'), kind: 'deleted' },
    { path: at('c.ts'), kind: 'changed' },
    { path: at('d.ts'), kind: 'created' },
    { path: at('README.md'), kind: 'changed' },
  ]);
  expect((await index.reach(edit('a.ts'), signal)).files).toEqual(['a.ts', 'd.ts']);
  expect(asked).toEqual({ lists: 1, reads: ['b.ts', 'c.ts', 'd.ts'] });
});

test('a directory that comes or goes takes its files along', async () => {
  const { texts, open } = disk({ ...chain, 'old/x.ts': `import '../a.js';` });
  const index = open('ecmascript');
  await index.refresh(signal);
  delete texts['old/x.ts'];
  texts['new.dir/y.ts'] = `import '../a.js';`;
  index.invalidate([
    { path: at('old'), kind: 'deleted' },
    { path: at('new.dir'), kind: 'created' },
  ]);
  expect((await index.reach(edit('a.ts'), signal)).files).toEqual(['a.ts', 'b.ts', 'c.ts', 'new.dir/y.ts']);
});

test('lost events mean that everything is read again', async () => {
  const { texts, open } = disk({ ...chain });
  const index = open('ecmascript');
  await index.refresh(signal);
  texts['b.ts'] = 'export {};';
  texts['d.ts'] = `import './a.js';`;
  delete texts['c.ts'];
  index.invalidate([]);
  expect((await index.reach(edit('a.ts'), signal)).files).toEqual(['a.ts', 'd.ts']);
});

test('a configuration that another builds on counts, whatever its name', async () => {
  const { texts, open } = disk({
    'app/tsconfig.json': '{ "extends": "../config/base" }',
    'config/base.json': '{ "compilerOptions": { "paths": { "@core": ["../core/main.ts"] } } }',
    'core/main.ts': 'export {};',
    'app/a.ts': `import '@core';`,
    'app/b.ts': 'export {};',
  });
  const index = open('ecmascript');
  expect((await index.reach(edit('core/main.ts'), signal)).files).toEqual(['app/a.ts', 'core/main.ts']);
  const sources = ['app/a.ts', 'app/b.ts', 'config/base.json', 'core/main.ts'];
  expect((await index.reach(edit('config/base.json'), signal)).files).toEqual(sources);
  texts['config/base.json'] = '{}';
  index.invalidate([{ path: at('config/base.json'), kind: 'changed' }]);
  expect((await index.reach(edit('core/main.ts'), signal)).files).toEqual(['core/main.ts']);
});

test('a compilation database is found where it is built', async () => {
  const { open } = disk({
    'build/compile_commands.json': '[{"command": "cc -include pch.h a.c"}]',
    'a.c': '',
    'pch.h': '',
  });
  expect((await open('c').reach(edit('pch.h'), signal)).files).toEqual(['a.c', 'pch.h']);
});

test('a question that was given up leaves the next one nothing to miss', async () => {
  const { files } = disk({ ...chain });
  const controller = new AbortController();
  const index = new ReachIndex(
    { family: 'ecmascript' },
    {
      ...files,
      readText: (path) => {
        if (path === 'b.ts' && !controller.signal.aborted) controller.abort(new Error('given up'));
        return files.readText(path);
      },
    },
  );
  await expect(index.reach(edit('a.ts'), controller.signal)).rejects.toThrow('given up');
  expect((await index.reach(edit('a.ts'), signal)).files).toEqual(['a.ts', 'b.ts', 'c.ts']);
});

test('questions asked together share one reading', async () => {
  const { asked, open } = disk({ ...chain });
  const index = open('ecmascript');
  const answers = await Promise.all(['a.ts', 'b.ts', 'c.ts'].map((path) => index.reach(edit(path), signal)));
  expect(answers.map(({ files }) => files.length)).toEqual([3, 2, 1]);
  expect(asked).toMatchObject({ lists: 1, reads: { length: 3 } });
});

test.each(['list', 'readText'] as const)(
  'a question that comes while another is in %s waits for the whole graph',
  async (step) => {
    const { files } = disk({ ...chain });
    const late: ReturnType<ReachIndex['reach']>[] = [];
    const ask = () => void late.push(index.reach(edit('a.ts'), signal));
    const index = new ReachIndex(
      { family: 'ecmascript' },
      {
        list: async (extensions) => {
          if (step === 'list') ask();
          return files.list(extensions);
        },
        readText: async (path) => {
          if (step === 'readText') ask();
          return files.readText(path);
        },
      },
    );
    await index.refresh(signal);
    for (const { files: reached } of await Promise.all(late)) {
      expect(reached).toEqual(['a.ts', 'b.ts', 'c.ts']);
    }
    expect(late.length).toBeGreaterThan(0);
  },
);

test('a family without extensions of its own looks for those it is given', async () => {
  const { files } = disk({ 'a.zig': '', 'b.zig': '', 'c.txt': '' });
  const index = new ReachIndex({ family: 'all', extensions: new Set(['zig']) }, files);
  expect((await index.reach(edit('a.zig'), signal)).files).toEqual(['a.zig', 'b.zig']);
});

test('which files are imported is found out by reading these alone', async () => {
  const { texts, asked, open } = disk({
    'pyproject.toml': '',
    'app/__init__.py': '',
    'app/main.py': 'from app import layer\nimport requests\n',
    'app/layer.py': 'from .deep import thing\n',
    'app/deep.py': 'import numpy\n',
    'app/other.py': 'from app import main\n',
    'tools/run.py': 'import app.main\n',
  });
  const index = open('python');
  const asking = () => index.importedBy([at('app/main.py')], new Map(), signal);
  const imported = await asking();
  expect(Object.fromEntries(imported)).toEqual({
    'app/__init__.py': [],
    'app/main.py': ['requests'],
    'app/layer.py': [],
    'app/deep.py': ['numpy'],
  });
  const needed = ['app/__init__.py', 'app/deep.py', 'app/layer.py', 'app/main.py', 'pyproject.toml'];
  expect(asked.reads.sort()).toEqual(needed);
  // The rest is read once somebody asks who imports a file, and the answer about imports stays the same.
  expect((await index.reach(edit('app/main.py'), signal)).files).toEqual([
    'app/main.py',
    'app/other.py',
    'tools/run.py',
  ]);
  expect(await asking()).toEqual(imported);
  delete texts['app/deep.py'];
  texts['app/layer.py'] = 'from .fresh import thing\n';
  texts['app/fresh.py'] = 'import pandas\n';
  index.invalidate([
    { path: at('app/deep.py'), kind: 'deleted' },
    { path: at('app/layer.py'), kind: 'changed' },
    { path: at('app/fresh.py'), kind: 'created' },
  ]);
  expect(Object.fromEntries(await asking())).toEqual({
    'app/__init__.py': [],
    'app/main.py': ['requests'],
    'app/layer.py': [],
    'app/fresh.py': ['pandas'],
  });
});

test('reading only what is imported finds the same as reading everything', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'lib'] as const;
  const sources = fc.array(fc.tuple(fc.constantFrom(...names), fc.subarray([...names])), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(sources, async (files) => {
      const texts = Object.fromEntries(
        files.map(([name, imports]) => [`${name}.py`, imports.map((each) => `import ${each}\n`).join('')]),
      );
      const partial = disk({ ...texts }).open('python');
      const whole = disk({ ...texts }).open('python');
      await whole.refresh(signal);
      for (const path of [at('a.py'), at('b.py')]) {
        const answers = await Promise.all(
          [partial, whole].map((index) => index.importedBy([path], new Map(), signal)),
        );
        expect(answers[0]).toEqual(answers[1]);
      }
    }),
  );
});

/** The rules of the tree that no other tool checks. */
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type SourceFile, sourceFiles } from '../support/source-tree.ts';

const all = await sourceFiles('src', 'web', 'test', 'bench', 'scripts');
const own = all.filter(({ path }) => !path.startsWith('test/fixtures/'));
const source = own.filter(({ path }) => /^(src|web)\//.test(path) && !path.endsWith('.test.ts'));

function offenders(
  files: readonly SourceFile[],
  isOffence: (file: SourceFile) => boolean,
): readonly string[] {
  return files.filter(isOffence).map(({ path }) => path);
}

describe('files', () => {
  test('none is longer than 400 lines', () => {
    expect(offenders(source, ({ text }) => text.split('\n').length > 401)).toEqual([]);
  });

  test('none is a drawer, and no name tells of its history', () => {
    const refused =
      /^(utils?|helpers?|common|types|index|misc|manager)(\.test)?\.ts$|(^|[-.])(v2|new|legacy|old|round\d+|coverage)([-.]|$)/;
    const allowed = new Set(['src/index.ts', 'src/tools/old-text.ts', 'src/tools/old-text.test.ts']);
    expect(offenders(own, ({ path }) => refused.test(basename(path)) && !allowed.has(path))).toEqual([]);
  });

  test('every test belongs to a project of vitest.config.ts', () => {
    const folders = /^(src|web|test\/(tidy|support|truth-repositories|soak|servers|process|browser))\//;
    expect(offenders(own, ({ path }) => path.endsWith('.test.ts') && !folders.test(path))).toEqual([]);
  });

  test('names are kebab-case', () => {
    expect(offenders(own, ({ path }) => !/^[a-z0-9.-]+$/.test(basename(path)))).toEqual([]);
  });
});

describe('code', () => {
  test('every failure code belongs to one class, and names its folder or the area it has always named', () => {
    const owners = source.flatMap(({ path, text }) =>
      [...text.matchAll(/readonly code = '([^']+)'/g)].map(([, code = '']) => ({ code, path })),
    );
    const codes = owners.map(({ code }) => code);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    // Codes are public: one keeps its area when its class moves to a folder of its own. A new one names its folder.
    const areas: Readonly<Record<string, string>> = {
      evaluation: 'session',
      host: 'cli',
      live: 'servers',
      toolchain: 'tools',
    };
    const isNamed = ({ code, path }: (typeof owners)[number]): boolean => {
      const folder = path.split('/')[1] ?? '';
      return [folder, areas[folder]].includes(code.split('/')[0]);
    };
    expect(owners.filter((owner) => !isNamed(owner))).toEqual([]);
  });

  test('the working directory is asked for in cli/ alone', () => {
    const asks = ({ path, text }: SourceFile) =>
      text.includes('process.cwd()') && !path.startsWith('src/cli/');
    expect(offenders(source, asks)).toEqual([]);
  });

  test('standard output is written in cli/ and by the protocol alone', () => {
    const writes = ({ path, text }: SourceFile) =>
      text.includes('process.stdout') && !/^src\/(cli|mcp)\//.test(path);
    expect(offenders(source, writes)).toEqual([]);
  });

  test('no test is skipped or run alone', () => {
    const tests = own.filter(
      ({ path }) => path.endsWith('.test.ts') && path !== 'test/tidy/repository.test.ts',
    );
    expect(offenders(tests, ({ text }) => /\b(test|describe)\.(skip|only|todo)\(/.test(text))).toEqual([]);
  });

  test('every module says what it is for', () => {
    expect(offenders(source, ({ text }) => !text.includes('/**'))).toEqual([]);
  });
});

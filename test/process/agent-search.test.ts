/** Searching, held against the programs whose rules it follows. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { viewsOf } from '../../src/agent/files/agent-root.ts';
import { anchorPath } from '../../src/agent/files/path-anchor.ts';
import { SearchedFiles } from '../../src/agent/search/searched-files.ts';
import { globTool } from '../../src/agent/tools/glob.ts';
import { grepTool } from '../../src/agent/tools/grep.ts';
import { Failure } from '../../src/base/failure.ts';
import type { JsonObject } from '../../src/model/json-value.ts';
import { Overlay } from '../../src/overlay/overlay.ts';
import type { FileSource } from '../../src/workspace/file-source.ts';
import { rootPath } from '../../src/workspace/workspace-path.ts';
import { liveRoots, toolContext, use } from '../support/agent-trial.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { calm } from '../support/world.ts';

const run = promisify(execFile);

const files = {
  'src/app.ts': 'import { port } from "./port";\n\nexport function start(): void {\n  listen(port);\n}\n',
  'src/port.ts': 'export const port = 8080;\nexport const host = "naïve.example";\n// TODO: port from env\n',
  'src/deep/er/x.py': 'def start():\n    return None\n',
  'docs/guide.md': '# Port\n\nThe port is 8080.\r\nPORT again\r\n',
  'unicode.txt': 'größe\nstraße 😀\n日本語 text\n',
  'empty.txt': '',
  'no-newline.txt': 'port at the end',
};

/** Patterns both dialects of regular expressions read alike. */
const patterns = [
  'port',
  'p.rt',
  '^export',
  '8080;?$',
  '\\bport\\b',
  '\\w+\\(',
  '[A-Z]{2,}',
  '(start|listen)',
  '"[^"]+"',
  '\\d{4}',
  'größe',
  '😀',
  '^$',
  '\\s+return',
  'TODO: .*env',
  '[[:digit:]]+',
  'x|y',
  '\\(\\): void \\{',
  '日.語',
  '^\\W',
];

describe('Grep answers as grep -P does', () => {
  test.each(patterns)('for %s', async (pattern) => {
    await using scratch = await ScratchWorkspace.create(files);
    for (const [flags, input] of flagTable) {
      const theirs = await grep(scratch.workspace.root, [...flags, '-e', pattern]);
      const ours = await search(scratch, { pattern, output_mode: 'content', ...input });
      expect(ours, `${pattern} ${flags.join(' ')}`).toEqual(theirs);
    }
  });

  const flagTable: readonly (readonly [readonly string[], JsonObject])[] = [
    [[], {}],
    [['-i'], { '-i': true }],
    [['-A1', '-B2'], { '-A': 1, '-B': 2 }],
    [['-C1'], { '-C': 1 }],
  ];
});

test('what ignore files leave out is what git leaves out', async () => {
  const segment = fc.constantFrom('a', 'b', 'ab', 'c.ts', 'd.js', 'x y');
  const line = fc.constantFrom(
    'a',
    '/a',
    'a/',
    '*.ts',
    '/*.js',
    'a/b',
    '**/b',
    'a/**',
    'a/**/c.ts',
    '!c.ts',
    '!a/',
    'a*',
    '?',
    '[ab]',
    '[!a]b',
    '*',
    '!*/',
    'x\\ y',
    'x y',
    '# comment',
    '\\#',
    'b/*',
    '!b/c.ts',
    '*.[jt]s',
    '',
  );
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { minLength: 1, maxLength: 8 }),
      fc.array(line, { maxLength: 4 }),
      fc.array(line, { maxLength: 2 }),
      async (paths, lines, inner) => {
        // A file cannot be a directory as well.
        const plain = paths.filter((each) => !paths.some((other) => other.startsWith(`${each}/`)));
        const nested: Readonly<Record<string, string>> = plain.some((each) => each.startsWith('a/'))
          ? { 'a/.gitignore': inner.join('\n') }
          : {};
        const all = Object.fromEntries(plain.map((each) => [each, 'x']));
        await using scratch = await ScratchWorkspace.create({
          ...all,
          ...nested,
          '.gitignore': lines.join('\n'),
        });
        const cwd = scratch.workspace.root;
        await run('git', ['init', '-q'], { cwd });
        const { stdout } = await run('git', ['ls-files', '-z', '--others', '--exclude-standard'], { cwd });
        const theirs = stdout
          .split('\0')
          .filter((name) => name !== '')
          .sort();
        const root = await anchorPath(viewsOf(liveRoots(scratch.workspace)), '.');
        const searched = await SearchedFiles.below(root);
        expect([...(await searched.filesBelow(rootPath, calm))].sort()).toEqual(theirs);
      },
    ),
    { numRuns: 60 },
  );
});

describe('a search', () => {
  test('sees the overlay in place of the disk', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    const context = toolContext(liveRoots(scratch.workspace));
    const [root] = context.roots;
    const at = (path: string) => scratch.workspace.path(path);
    const overlay = root.overlay
      .write(at('src/fresh.ts'), { kind: 'text', text: 'const port = 1;\n' })
      .remove(at('src/port.ts'))
      .remove(at('docs'));
    const shown = { ...context, roots: [{ ...root, overlay }] as const };
    const found = await use(grepTool, shown, { pattern: 'port', output_mode: 'count' });
    expect(found.text).toBe('no-newline.txt:1\nsrc/app.ts:3\nsrc/fresh.ts:1');
    const listed = await use(globTool, shown, { pattern: '**/*.{ts,md}' });
    expect(listed.text).toBe('src/app.ts\nsrc/fresh.ts');
  });

  test('passes over dependencies and ignored files, unless they are named', async () => {
    await using scratch = await ScratchWorkspace.create({
      'a.ts': 'needle',
      'node_modules/x/index.js': 'needle',
      'secret/key.txt': 'needle',
      '.gitignore': 'secret/\ndist/\n',
      'sub/.ignore': 'b.ts\n',
      'sub/b.ts': 'needle',
      'dist/out.js': 'needle',
    });
    expect(await search(scratch, { pattern: 'needle' })).toEqual(['a.ts']);
    expect(await search(scratch, { pattern: 'needle', path: 'node_modules' })).toEqual([
      'node_modules/x/index.js',
    ]);
    expect(await search(scratch, { pattern: 'needle', path: 'secret/key.txt' })).toEqual(['secret/key.txt']);
    expect(await search(scratch, { pattern: 'needle', path: 'dist' })).toEqual(['dist/out.js']);
  });

  test('is narrowed by glob, type, directory and length', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    const table: readonly (readonly [JsonObject, readonly string[]])[] = [
      [{ glob: '*.ts' }, ['src/app.ts', 'src/port.ts']],
      [{ glob: '!*.ts' }, ['docs/guide.md', 'no-newline.txt']],
      [{ glob: 'src/**/*.ts', path: 'src' }, ['src/app.ts', 'src/port.ts']],
      [{ type: 'md' }, ['docs/guide.md']],
      [{ path: 'docs' }, ['docs/guide.md']],
      [{ head_limit: 1 }, ['docs/guide.md', '(cut after 1 lines; narrow the search)']],
    ];
    for (const [input, expected] of table) {
      expect(await search(scratch, { pattern: 'port', '-i': true, ...input })).toEqual(expected);
    }
  });

  test('of a place that does not exist is refused, and what cannot be read is named', async () => {
    await using scratch = await ScratchWorkspace.create({ 'a.ts': 'needle', 'b.ts': 'needle' });
    await expect(search(scratch, { pattern: 'needle', path: 'nowhere' })).rejects.toThrow(
      /no file or directory nowhere/,
    );
    const context = toolContext(liveRoots(scratch.workspace));
    const [root] = context.roots;
    const base: FileSource = {
      list: (directory) => root.overlay.list(directory),
      read: async (path) => {
        if (path === 'a.ts') throw new Unreadable('cannot read "a.ts"');
        return root.overlay.read(path);
      },
    };
    const shown = { ...context, roots: [{ ...root, overlay: Overlay.on(base) }] as const };
    const { text } = await use(grepTool, shown, { pattern: 'needle' });
    expect(text).toBe('b.ts\n(not searched because it cannot be read: a.ts)');
  });

  test('may cross lines when asked to', async () => {
    await using scratch = await ScratchWorkspace.create(files);
    const input = { pattern: 'start\\(\\).*?listen', output_mode: 'content', multiline: true };
    expect(await search(scratch, input)).toEqual([
      'src/app.ts:3:export function start(): void {',
      'src/app.ts:4:  listen(port);',
    ]);
  });

  test('understands what ripgrep understands and this runtime does not', async () => {
    await using scratch = await ScratchWorkspace.create({ 'a.txt': 'Foo{bar}\nfoo-x\nzip]\ngröße 日\n' });
    const table: readonly (readonly [string, number])[] = [
      ['(?i)FOO', 2],
      ['(?P<name>foo)', 1],
      ['Foo{', 1],
      ['{bar}', 1],
      ['zip]', 1],
      ['foo\\-x', 1],
      ['\\<bar\\>', 1],
      ['\\x{46}oo', 1],
      ['\\p{Lu}oo', 1],
      ['gr\\wße\\b', 1],
      ['[\\w-]ße', 1],
      [' \\w$', 1],
    ];
    for (const [pattern, count] of table) {
      expect(await search(scratch, { pattern, output_mode: 'count' }), pattern).toEqual([`a.txt:${count}`]);
    }
  });

  test('refuses a pattern that is none, and ends one that would not end', async () => {
    await using scratch = await ScratchWorkspace.create({ 'a.txt': `${'a'.repeat(60)}b\n` });
    await expect(search(scratch, { pattern: '(' })).rejects.toThrow(/is not a regular expression/);
    await expect(search(scratch, { pattern: '(a+)+$' })).rejects.toThrow(/takes too long/);
  });

  test('lists the most recently modified first when asked to', async () => {
    await using scratch = await ScratchWorkspace.create({ 'a.ts': '', 'b.ts': '' });
    const { utimes } = await import('node:fs/promises');
    await utimes(scratch.at('a.ts'), 2000, 2000);
    await utimes(scratch.at('b.ts'), 1000, 1000);
    const context = toolContext(liveRoots(scratch.workspace));
    expect((await use(globTool, context, { pattern: '*', sort: 'modified' })).text).toBe('a.ts\nb.ts');
    expect((await use(globTool, context, { pattern: 'none/*' })).text).toBe('No file matches.');
  });
});

class Unreadable extends Failure {
  readonly code = 'workspace/unreadable';
  readonly remedy = '';
}

async function search(scratch: ScratchWorkspace, input: JsonObject): Promise<readonly string[]> {
  const { text } = await use(grepTool, toolContext(liveRoots(scratch.workspace)), input);
  return text === 'Nothing matches.' ? [] : text.split('\n');
}

/** All matching lines, files in order; a carriage return at the end of a line is no part of it. */
async function grep(cwd: string, flags: readonly string[]): Promise<readonly string[]> {
  const names = Object.keys(files).sort();
  const options = { cwd, env: { ...process.env, LC_ALL: 'C.UTF-8' } };
  const found = await run('grep', ['-P', '-n', '-H', ...flags, '--', ...names], options).catch(
    (thrown: unknown) => {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 1) return { stdout: '' };
      throw thrown;
    },
  );
  return found.stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/\r$/, ''));
}

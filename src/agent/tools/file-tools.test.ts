import { readFile, symlink, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { liveRoots, toolContext, use } from '../../../test/support/agent-trial.ts';
import { ScratchWorkspace } from '../../../test/support/scratch-workspace.ts';
import { calm } from '../../../test/support/world.ts';
import type { AgentTool } from '../agent-context.ts';
import { ReadCache } from '../files/read-cache.ts';
import { editTool, multiEditTool } from './edit.ts';
import { readTool } from './read.ts';
import { writeTool } from './write.ts';

/** Calls tools one after the other on one workspace and commits each result, like a live agent. */
async function work(
  scratch: ScratchWorkspace,
  ...calls: readonly (readonly [AgentTool, Parameters<AgentTool['prepare']>[0]])[]
): Promise<readonly string[]> {
  const roots = liveRoots(scratch.workspace);
  const reads = new ReadCache();
  const answers: string[] = [];
  for (const [tool, input] of calls) {
    try {
      const outcome = await use(tool, toolContext(roots, reads), input);
      if (outcome.change) await roots[0].files.commit(outcome.change.overlay, {}, calm);
      reads.note(outcome.seen ?? []);
      answers.push(outcome.text);
    } catch (thrown) {
      answers.push(thrown instanceof Error ? `refused: ${thrown.message}` : String(thrown));
    }
  }
  return answers;
}

describe('Read', () => {
  test('numbers lines, and says where to go on', async () => {
    await using scratch = await ScratchWorkspace.create({ 'a.txt': 'one\r\ntwo\nthree\n\nfive' });
    expect(await work(scratch, [readTool, { file_path: 'a.txt' }])).toEqual([
      '     1\tone\n     2\ttwo\n     3\tthree\n     4\t\n     5\tfive',
    ]);
    expect(await work(scratch, [readTool, { file_path: 'a.txt', offset: 2, limit: 2 }])).toEqual([
      '     2\ttwo\n     3\tthree\n(lines 2 to 3 of 5; continue with offset 4)',
    ]);
  });

  test('refuses in words what is no text', async () => {
    await using scratch = await ScratchWorkspace.create({
      'logo.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]),
      'data.bin': new Uint8Array([0, 1, 2]),
      'src/a.ts': '',
    });
    await symlink('/etc/hostname', scratch.at('out'));
    const answers = await work(
      scratch,
      [readTool, { file_path: 'logo.png' }],
      [readTool, { file_path: 'data.bin' }],
      [readTool, { file_path: 'src' }],
      [readTool, { file_path: 'nowhere.ts' }],
      [readTool, { file_path: 'src/a.ts' }],
      [readTool, { file_path: 'out' }],
      [readTool, { file_path: '../secret' }],
    );
    expect(answers).toEqual([
      'refused: logo.png is an image, which cannot be shown here',
      'refused: data.bin is not a text file',
      'refused: src is a directory',
      'refused: there is no file nowhere.ts',
      'src/a.ts is empty.',
      'refused: "out" is outside the workspace',
      'refused: "../secret" is outside the workspace',
    ]);
  });
});

test('a file is never written where another one would have to go', async () => {
  await using scratch = await ScratchWorkspace.create({ 'a.ts': 'x', 'src/b.ts': 'y' });
  const answers = await work(
    scratch,
    [writeTool, { file_path: 'a.ts/inner.ts', content: '' }],
    [writeTool, { file_path: 'src', content: '' }],
  );
  expect(answers).toEqual(['refused: a.ts is a file and has no entries', 'refused: src is a directory']);
  expect(await readFile(scratch.at('a.ts'), 'utf8')).toBe('x');
});

describe('an edit', () => {
  test('needs the file to have been read, and as it is now', async () => {
    await using scratch = await ScratchWorkspace.create({ 'a.ts': 'let a = 1;\n' });
    const edit = { file_path: 'a.ts', old_string: '1', new_string: '2' };
    expect(await work(scratch, [editTool, edit], [writeTool, { file_path: 'a.ts', content: '' }])).toEqual([
      'refused: a.ts has not been read in this conversation',
      'refused: a.ts has not been read in this conversation',
    ]);
    expect(await work(scratch, [readTool, { file_path: 'a.ts' }], [editTool, edit])).toEqual([
      '     1\tlet a = 1;',
      'Edited a.ts: 1 replacement.',
    ]);
    expect(await readFile(scratch.at('a.ts'), 'utf8')).toBe('let a = 2;\n');
  });

  test('may follow another without reading again, since the model knows what it wrote', async () => {
    await using scratch = await ScratchWorkspace.create({});
    const answers = await work(
      scratch,
      [writeTool, { file_path: 'new/a.ts', content: 'a b c' }],
      [editTool, { file_path: 'new/a.ts', old_string: 'b', new_string: 'x' }],
      [
        multiEditTool,
        {
          file_path: 'new/a.ts',
          edits: [
            { old_string: 'x', new_string: 'yy' },
            { old_string: 'yy c', new_string: 'z' },
          ],
        },
      ],
    );
    expect(answers).toEqual([
      'Created new/a.ts.',
      'Edited new/a.ts: 1 replacement.',
      'Edited new/a.ts: 2 replacements.',
    ]);
    expect(await readFile(scratch.at('new/a.ts'), 'utf8')).toBe('a z');
  });

  test('of several is made whole or not at all', async () => {
    await using scratch = await ScratchWorkspace.create({ 'a.ts': 'a b' });
    const edits = [
      { old_string: 'a', new_string: 'x' },
      { old_string: 'missing', new_string: 'y' },
    ];
    const [, answer] = await work(
      scratch,
      [readTool, { file_path: 'a.ts' }],
      [multiEditTool, { file_path: 'a.ts', edits }],
    );
    expect(answer).toMatch(/^refused: old_string is not in a.ts/);
    expect(await readFile(scratch.at('a.ts'), 'utf8')).toBe('a b');
  });

  test('leaves every other byte alone: byte order marks, line endings and astral characters', async () => {
    const piece = fc.constantFrom(
      'x',
      '\n',
      '\r\n',
      '😀',
      'é',
      '\u2028',
      '\ufeff',
      ' ',
      '$&',
      '\u0000'.slice(1),
    );
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(piece), fc.array(piece), async (hasMark, before, after) => {
        const text = `${before.join('')}NEEDLE${after.join('')}`;
        fc.pre(!text.startsWith('\ufeff'));
        const bytes = Buffer.from((hasMark ? '\ufeff' : '') + text, 'utf8');
        await using scratch = await ScratchWorkspace.create({ 'a.txt': bytes });
        await work(
          scratch,
          [readTool, { file_path: 'a.txt' }],
          [editTool, { file_path: 'a.txt', old_string: 'NEEDLE', new_string: 'PIN' }],
        );
        const expected = Buffer.from(bytes.toString('utf8').replace('NEEDLE', 'PIN'), 'utf8');
        expect(Buffer.compare(await readFile(scratch.at('a.txt')), expected)).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  test('through a link changes the file it leads to, inside the workspace only', async () => {
    await using scratch = await ScratchWorkspace.create({ 'real.ts': 'a' });
    await using elsewhere = await ScratchWorkspace.create({ 'secret.ts': 'a' });
    await symlink('real.ts', scratch.at('alias.ts'));
    await symlink(elsewhere.workspace.root, scratch.at('away'));
    const answers = await work(
      scratch,
      [readTool, { file_path: 'alias.ts' }],
      [editTool, { file_path: 'alias.ts', old_string: 'a', new_string: 'b' }],
      [writeTool, { file_path: 'away/secret.ts', content: 'stolen' }],
    );
    expect(answers.slice(1)).toEqual([
      'Edited real.ts: 1 replacement.',
      'refused: "away/secret.ts" is outside the workspace',
    ]);
    expect(await readFile(scratch.at('real.ts'), 'utf8')).toBe('b');
    expect(await readFile(elsewhere.at('secret.ts'), 'utf8')).toBe('a');
  });
});

test('Write keeps the byte order mark of a file that had one', async () => {
  await using scratch = await ScratchWorkspace.create({ 'a.cs': '\ufeffold' });
  await work(
    scratch,
    [readTool, { file_path: 'a.cs' }],
    [writeTool, { file_path: 'a.cs', content: 'fresh' }],
  );
  expect(await readFile(scratch.at('a.cs'), 'utf8')).toBe('\ufefffresh');
});

test('a file that changed on disk after it was read is not written over', async () => {
  await using scratch = await ScratchWorkspace.create({ 'a.ts': 'one' });
  const roots = liveRoots(scratch.workspace);
  const reads = new ReadCache();
  reads.note((await use(readTool, toolContext(roots, reads), { file_path: 'a.ts' })).seen ?? []);
  await writeFile(scratch.at('a.ts'), 'two');
  const write = use(writeTool, toolContext(roots, reads), { file_path: 'a.ts', content: 'three' });
  await expect(write).rejects.toMatchObject({ code: 'agent/stale-read' });
});

import { symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemorySource, workspacePath } from '../../test/support/memory-source.ts';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { existsIn } from '../workspace/file-source.ts';
import { filesBelow } from '../workspace/files-below.ts';
import { rootPath } from '../workspace/workspace-path.ts';
import { moveFile, Overlay, readText } from './overlay.ts';
import { applyWorkspaceEdit, parseWorkspaceEdit, renderWorkspaceEdit } from './workspace-edit.ts';

const p = workspacePath;
const files = { 'a.ts': 'one\ntwo\nthree\n', 'dir/b.ts': 'b\r\nb2\r\n', 'dir/c.ts': 'c' };

const range = (startLine: number, start: number, endLine: number, end: number) => ({
  start: { line: startLine, character: start },
  end: { line: endLine, character: end },
});

/** Applies an edit whose URIs are written as paths; returns all files after it. */
async function apply(edit: unknown): Promise<Record<string, string>> {
  await using scratch = await ScratchWorkspace.create();
  const base = Overlay.on(new MemorySource(files));
  const overlay = await applyWorkspaceEdit(scratch.workspace, base, parseWorkspaceEdit(edit));
  const texts: Record<string, string> = {};
  for (const path of await filesBelow(overlay, rootPath)) texts[path] = (await readText(overlay, path)).text;
  return texts;
}

describe('an edit is applied', () => {
  test.each<[string, unknown, Record<string, string | undefined>]>([
    [
      'to several places of one text at once',
      {
        changes: {
          'a.ts': [
            { range: range(2, 0, 2, 5), newText: '3' },
            { range: range(0, 0, 0, 3), newText: '1' },
          ],
        },
      },
      { 'a.ts': '1\ntwo\n3\n' },
    ],
    [
      'to one file under two spellings',
      {
        changes: {
          'a.ts': [{ range: range(0, 0, 0, 3), newText: '1' }],
          './dir/../a.ts': [{ range: range(1, 0, 1, 3), newText: '2' }],
        },
      },
      { 'a.ts': '1\n2\nthree\n' },
    ],
    [
      'and documentChanges win over changes',
      {
        changes: { 'a.ts': [{ range: range(0, 0, 0, 3), newText: 'lost' }] },
        documentChanges: [
          {
            textDocument: { uri: 'a.ts', version: 3 },
            edits: [{ range: range(0, 0, 0, 3), newText: 'won' }],
          },
        ],
      },
      { 'a.ts': 'won\ntwo\nthree\n' },
    ],
    [
      'keeping the line ends the edit writes',
      { changes: { 'dir/b.ts': [{ range: range(0, 1, 0, 1), newText: '\nx' }] } },
      { 'dir/b.ts': 'b\nx\r\nb2\r\n' },
    ],
    [
      'up to the line after the last, as formatters address the whole text',
      { changes: { 'dir/c.ts': [{ range: range(0, 0, 1, 0), newText: 'all new' }] } },
      { 'dir/c.ts': 'all new' },
    ],
    [
      'to a file created before',
      {
        documentChanges: [
          { kind: 'create', uri: 'new.ts' },
          { textDocument: { uri: 'new.ts' }, edits: [{ range: range(0, 0, 0, 0), newText: 'x' }] },
        ],
      },
      { 'new.ts': 'x' },
    ],
    [
      'as a rename of a directory',
      { documentChanges: [{ kind: 'rename', oldUri: 'dir', newUri: 'moved' }] },
      { 'moved/b.ts': 'b\r\nb2\r\n', 'moved/c.ts': 'c', 'dir/b.ts': undefined, 'dir/c.ts': undefined },
    ],
    [
      'as a rename over a file',
      {
        documentChanges: [
          { kind: 'rename', oldUri: 'dir/c.ts', newUri: 'a.ts', options: { overwrite: true } },
        ],
      },
      { 'a.ts': 'c', 'dir/c.ts': undefined },
    ],
    [
      'not as a rename that ignores what exists',
      {
        documentChanges: [
          { kind: 'rename', oldUri: 'dir/c.ts', newUri: 'a.ts', options: { ignoreIfExists: true } },
        ],
      },
      files,
    ],
    [
      'not as a creation that ignores what exists',
      { documentChanges: [{ kind: 'create', uri: 'a.ts', options: { ignoreIfExists: true } }] },
      files,
    ],
    [
      'as an overwriting creation',
      {
        documentChanges: [
          { kind: 'create', uri: 'a.ts', options: { overwrite: true, ignoreIfExists: true } },
        ],
      },
      { 'a.ts': '' },
    ],
    [
      'as a recursive deletion',
      { documentChanges: [{ kind: 'delete', uri: 'dir', options: { recursive: true } }] },
      { 'dir/c.ts': undefined, 'dir/b.ts': undefined },
    ],
    [
      'not as a deletion that ignores what is missing',
      { documentChanges: [{ kind: 'delete', uri: 'no', options: { ignoreIfNotExists: true } }] },
      files,
    ],
  ])('%s', async (_, edit, expected) => {
    // `toEqual` takes a key that is undefined for one that is missing.
    expect(await apply(edit)).toEqual({ ...files, ...expected });
  });
});

describe('an edit is refused', () => {
  test.each<[string, unknown, string]>([
    [
      'whose parts overlap',
      {
        changes: {
          'a.ts': [
            { range: range(0, 0, 0, 3), newText: '' },
            { range: range(0, 1, 0, 2), newText: 'x' },
          ],
        },
      },
      'text/overlapping-edits',
    ],
    ['of a file that is not there', { changes: { 'no.ts': [] } }, 'overlay/no-such-file'],
    ['outside the workspace', { changes: { '../x.ts': [] } }, 'workspace/outside'],
    [
      'that creates what exists',
      { documentChanges: [{ kind: 'create', uri: 'a.ts' }] },
      'overlay/file-exists',
    ],
    [
      'that renames over what exists',
      { documentChanges: [{ kind: 'rename', oldUri: 'a.ts', newUri: 'dir/c.ts' }] },
      'overlay/file-exists',
    ],
    [
      'that deletes what is missing',
      { documentChanges: [{ kind: 'delete', uri: 'no' }] },
      'overlay/no-such-file',
    ],
    [
      'that deletes a full directory unasked',
      { documentChanges: [{ kind: 'delete', uri: 'dir' }] },
      'overlay/directory-not-empty',
    ],
    ['that is no object', [], 'overlay/malformed-edit'],
    [
      'with a negative line',
      { changes: { 'a.ts': [{ range: range(-1, 0, 0, 0), newText: '' }] } },
      'overlay/malformed-edit',
    ],
    ['without a text', { changes: { 'a.ts': [{ range: range(0, 0, 0, 0) }] } }, 'overlay/malformed-edit'],
    ['of an unknown kind', { documentChanges: [{ kind: 'chmod', uri: 'a.ts' }] }, 'overlay/malformed-edit'],
  ])('%s', async (_, edit, code) => {
    await expect(apply(edit)).rejects.toMatchObject({ code });
  });

  test('whose target leads through a link out of the workspace', async () => {
    await using scratch = await ScratchWorkspace.create();
    await symlink(tmpdir(), scratch.at('out'));
    const edit = { documentChanges: [{ kind: 'create', uri: 'out/x.ts' } as const] };
    await expect(
      applyWorkspaceEdit(scratch.workspace, Overlay.on(new MemorySource({})), edit),
    ).rejects.toMatchObject({ code: 'workspace/outside' });
  });
});

test('a malformed edit is told with its place', () => {
  const edit = { changes: { 'a.ts': [{ range: { start: { line: 0 } }, newText: '' }] } };
  expect(() => parseWorkspaceEdit(edit)).toThrow('edit.changes["a.ts"][0].range.start lacks "character"');
});

test('text modifications alone are told as changes, as small as they are', async () => {
  await using scratch = await ScratchWorkspace.create();
  const overlay = Overlay.on(new MemorySource(files)).writeText(p('a.ts'), 'one\ntwo!\nthree\n');
  expect(await renderWorkspaceEdit(scratch.workspace, overlay)).toEqual({
    changes: { [scratch.workspace.uri(p('a.ts'))]: [{ range: range(1, 3, 1, 3), newText: '!' }] },
  });
});

test('an overlay told as a WorkspaceEdit and applied again is the same overlay', async () => {
  await using scratch = await ScratchWorkspace.create();
  const line = fc.constantFrom('x', 'y\n', 'z\r\n', '😀', '\n');
  const text = fc.array(line, { maxLength: 5 }).map((lines) => lines.join(''));
  const step = fc.oneof(
    fc.record({ write: fc.constantFrom('a.ts', 'dir/b.ts', 'new/n.ts'), text }),
    fc.record({ remove: fc.constantFrom('a.ts', 'dir/b.ts', 'dir') }),
    fc.record({ rename: fc.constantFrom('a.ts', 'dir/c.ts'), to: fc.constantFrom('moved/m.ts', 'n.ts') }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
      const base = new MemorySource(files);
      let overlay = Overlay.on(base);
      for (const change of steps) {
        if ('write' in change) overlay = overlay.writeText(p(change.write), change.text);
        else if ('remove' in change) overlay = overlay.remove(p(change.remove));
        else if (await existsIn(overlay, p(change.rename))) {
          overlay = await moveFile(overlay, p(change.rename), p(change.to));
        }
      }
      const edit = parseWorkspaceEdit(
        JSON.parse(JSON.stringify(await renderWorkspaceEdit(scratch.workspace, overlay))),
      );
      const again = await applyWorkspaceEdit(scratch.workspace, Overlay.on(base), edit);
      expect(await again.changes()).toEqual(await overlay.changes());
    }),
    { numRuns: 150 },
  );
});

test('a binary change cannot be told as edits', async () => {
  await using scratch = await ScratchWorkspace.create();
  await writeFile(scratch.at('x'), '');
  const overlay = Overlay.on(new MemorySource({})).write(p('b'), {
    kind: 'binary',
    bytes: new Uint8Array([0]),
  });
  await expect(renderWorkspaceEdit(scratch.workspace, overlay)).rejects.toMatchObject({
    code: 'overlay/not-text',
  });
});

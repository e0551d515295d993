/** Journals, `.git` and hard links as the front of the system meets them: by opening a workspace and by calling tools. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { link, mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Log, type LogRecord } from '../../src/base/log.ts';
import { WorkspaceRegistry } from '../../src/live/workspace-registry.ts';
import { sha256 } from '../../src/storage/hash.ts';
import { workspaceKey } from '../../src/storage/workspace-key.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { ToolWorld } from '../support/tool-world.ts';
import { describeTree } from '../support/tree-hash.ts';

const never = new AbortController().signal;

async function open(scratch: ScratchWorkspace, stateHome: string): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = [];
  const log = new Log((record) => records.push(record));
  const env = { ...process.env, XDG_STATE_HOME: stateHome };
  await using workspaces = new WorkspaceRegistry({ definitions: [], env, log });
  await workspaces.open(scratch.workspace.root, never);
  return records.filter(({ event }) => event.startsWith('workspace.commit'));
}

describe('opening a workspace', () => {
  test('that brings a journal and a link along changes not one byte inside or outside', async () => {
    await using outside = await ScratchWorkspace.create({ 'victim.txt': 'precious', 'keep/x.txt': 'x' });
    await using state = await ScratchWorkspace.create();
    await using scratch = await ScratchWorkspace.create({
      'a.txt': 'a',
      '.git/HEAD': 'ref: refs/heads/main\n',
    });
    symlinkSync(outside.workspace.root, scratch.at('out'));
    const hash = sha256('precious');
    const steps = [
      { kind: 'delete', path: 'out/planted.sh', before: sha256('planted') },
      { kind: 'replace', path: 'out/victim.txt', before: sha256('planted'), after: hash },
      { kind: 'create', path: 'out/victim.txt', after: hash },
      { kind: 'rmdir', path: 'out/made', mode: 0o777 },
    ];
    for (const place of ['.forerun-tx/tx-1', '.git/forerun-tx/tx-1']) {
      mkdirSync(scratch.at(`${place}/old`), { recursive: true });
      for (const index of [0, 1]) writeFileSync(scratch.at(`${place}/old/${index}`), 'planted');
      writeFileSync(scratch.at(`${place}/journal.json`), JSON.stringify({ version: 1, steps }));
    }
    const before = [scratch, outside].map(({ workspace }) => describeTree(workspace.root));
    const [inside, beyond] = await Promise.all(before);
    expect(await open(scratch, state.workspace.root)).toEqual([]);
    expect(await describeTree(scratch.workspace.root)).toEqual(inside);
    expect(await describeTree(outside.workspace.root)).toEqual(beyond);
  });

  test('whose own journal is corrupt succeeds, and the log says where the journal is now', async () => {
    await using state = await ScratchWorkspace.create();
    await using scratch = await ScratchWorkspace.create({ 'a.txt': 'a' });
    const key = workspaceKey(scratch.workspace.root);
    const id = '01234567-89ab-4cde-8f01-23456789abcd';
    const journal = state.at(`forerun/journal/${key}/${id}.pending`);
    await mkdir(dirname(journal), { recursive: true, mode: 0o700 });
    writeFileSync(journal, '{"version":2,');
    const aside = join(dirname(journal), 'set-aside', `${id}.pending`);
    expect(await open(scratch, state.workspace.root)).toEqual([
      expect.objectContaining({
        level: 'warning',
        event: 'workspace.commit-not-recovered',
        fields: { root: scratch.workspace.root, warning: expect.stringContaining(aside) },
      }),
    ]);
    expect((await stat(aside)).isFile()).toBe(true);
  });

  test('succeeds where the state directory cannot be used', async () => {
    await using state = await ScratchWorkspace.create({ forerun: 'a file' });
    await using scratch = await ScratchWorkspace.create({ 'a.txt': 'a' });
    await expect(open(scratch, state.workspace.root)).resolves.toBeDefined();
  });
});

describe('an edit by a tool', () => {
  test('tells which hard links it separated', async () => {
    await using state = await ScratchWorkspace.create();
    const env = { XDG_STATE_HOME: state.workspace.root };
    await using tools = await ToolWorld.open({ 'a.txt': 'one\n' }, { definitions: [], env });
    await link(tools.at('a.txt'), tools.at('other.txt'));
    const edit = { file_path: tools.at('a.txt'), old_text: 'one', new_text: 'two' };
    const { content } = await tools.call('apply_edit', edit);
    expect(content).toContain('Warning: "a.txt" had other hard links; they keep the old content');
    expect(await readFile(tools.at('other.txt'), 'utf8')).toBe('one\n');
  });

  test('in .git is refused with what to do instead', async () => {
    await using state = await ScratchWorkspace.create();
    const env = { XDG_STATE_HOME: state.workspace.root };
    const files = { 'a.txt': 'one\n', '.git/hooks/pre-commit': 'exit 0\n' };
    await using tools = await ToolWorld.open(files, { definitions: [], env });
    const edit = { file_path: tools.at('.git/hooks/pre-commit'), old_text: 'exit 0', new_text: 'run me' };
    const { isError, meta, content } = await tools.call('apply_edit', edit);
    expect({ isError, said: content.join('\n'), ...meta }).toMatchObject({
      isError: true,
      said: expect.stringContaining('belongs to git'),
    });
    expect(await readFile(tools.at('.git/hooks/pre-commit'), 'utf8')).toBe('exit 0\n');
  });
});

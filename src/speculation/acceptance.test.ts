/** Accepting a speculation across workspaces, without a model. */

import { expect, test } from 'vitest';
import { testState } from '../../test/support/commit-state.ts';
import { CommittedFiles, type CommittedFilesOptions } from '../../test/support/committed-files.ts';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { describeTree } from '../../test/support/tree-hash.ts';
import { unaskedAgent } from '../../test/support/unasked-agent.ts';
import { Conversation } from '../agent/conversation.ts';
import type { AgentRoot } from '../agent/files/agent-root.ts';
import { mergeFork } from '../agent/fork-merge.ts';
import { PermissionGuard } from '../agent/permission/permission-guard.ts';
import { userText } from '../model/message.ts';
import { commitOverlay } from '../overlay/commit/commit.ts';
import { editText, moveFile, Overlay } from '../overlay/overlay.ts';
import { Baseline } from '../workspace/baseline.ts';
import { DiskSource } from '../workspace/disk-source.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { acceptRun } from './acceptance.ts';
import type { AgentBranch } from './agent-branch.ts';
import { SpeculativeFiles } from './speculative-files.ts';

const calm = new AbortController().signal;

function rootOf(
  name: string,
  { workspace }: ScratchWorkspace,
  commit: CommittedFilesOptions['commit'] = (overlay, together, signal) =>
    commitOverlay(
      workspace,
      overlay,
      { durability: 'process', onConflict: 'refuse', ...testState, ...together },
      signal,
    ),
): AgentRoot {
  const disk = new DiskSource(workspace);
  return {
    name,
    workspace,
    files: new CommittedFiles({ begin: () => Overlay.on(new Baseline(disk)), commit }),
  };
}

/** A speculation that renamed, rewrote, created and removed a file in each root. */
async function ready(first: AgentRoot, second: AgentRoot): Promise<AgentBranch> {
  const trunk = Conversation.begin({
    agent: unaskedAgent,
    roots: [first, second],
    permissions: new PermissionGuard({ mode: 'acceptEdits', allow: [], deny: [] }),
    commands: { run: async () => ({ kind: 'boundary', rule: 'none', why: 'There are none.' }) },
    opening: '',
  });
  await trunk.history.addUserMessage([{ kind: 'text', text: 'Go.' }]);
  await trunk.history.addAssistantMessage({ role: 'assistant', content: [{ kind: 'text', text: 'Gone.' }] });
  const conversation = trunk.fork({ guards: [], commands: trunk.setup.commands });
  const files = new Map<Workspace, SpeculativeFiles>();
  // The order of the files must not matter.
  for (const root of [...conversation.setup.roots].reverse()) {
    const at = (path: string) => root.workspace.path(path);
    const speculative = SpeculativeFiles.on(root.files.overlay());
    const edited = await editText(speculative.start, at('edited.txt'), (text) => `${text}more\n`);
    const moved = await moveFile(edited, at('old.txt'), at('deep/new.txt'));
    await root.files.commit(moved.writeText(at('made.txt'), 'made\n').remove(at('gone.txt')), {}, calm);
    files.set(root.workspace, speculative);
  }
  const [from, onto] = [trunk.history.messages.length, trunk.history.messages.at(-1)];
  const said = [
    userText('do it all'),
    { role: 'assistant', content: [{ kind: 'text', text: 'Done.' }] },
  ] as const;
  await mergeFork(conversation, { messages: said, seen: [] });
  const messages = conversation.history.messages.slice(from);
  const added = { from, onto, messages, files, commands: [] };
  return { trunk, conversation, ended: { kind: 'answered', stop: 'end' }, added };
}

const tree = { 'edited.txt': 'text\n', 'old.txt': 'old\n', 'gone.txt': 'gone\n' };

test('every workspace changes together', async () => {
  await using first = await ScratchWorkspace.create(tree);
  await using second = await ScratchWorkspace.create(tree);
  const after = await ready(rootOf('first', first), rootOf('second', second));
  const landing = await acceptRun({ boundary: { kind: 'complete' }, after }, calm);
  const paths = ['deep/new.txt', 'edited.txt', 'gone.txt', 'made.txt'];
  expect(landing).toMatchObject({ kind: 'committed' });
  expect(landing.kind === 'committed' && landing.patch?.map((each) => each.newPath ?? each.oldPath)).toEqual([
    ...paths,
    ...paths.map((path) => `second/${path}`),
  ]);
  const trees = await Promise.all([first, second].map(({ workspace }) => describeTree(workspace.root)));
  expect(trees[0]).toEqual(trees[1]);
  expect(trees[0]?.map((line) => line.split(' ')[0])).toEqual([
    'deep/',
    'deep/new.txt',
    'edited.txt',
    'made.txt',
  ]);
  expect(after.trunk.history.messages).toHaveLength(4);
});

test.each([
  ['a conflict', async () => ({ kind: 'conflict' as const, paths: [] })],
  [
    'a failure',
    async () => {
      throw new Error('the disk is full');
    },
  ],
])('%s in one workspace leaves the other as it was', async (_name, commit) => {
  await using first = await ScratchWorkspace.create(tree);
  await using second = await ScratchWorkspace.create(tree);
  const before = await describeTree(first.workspace.root);
  const after = await ready(rootOf('first', first), rootOf('second', second, commit));
  const landing = await acceptRun({ boundary: { kind: 'complete' }, after }, calm).catch(() => 'failed');
  expect(landing).not.toEqual({ kind: 'committed' });
  expect(await describeTree(first.workspace.root)).toEqual(before);
  expect(after.trunk.history.messages).toHaveLength(2);
});

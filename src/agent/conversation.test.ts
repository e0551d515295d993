/** Messages of a conversation, and its state after it is resumed. */
import { mkdir, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { unaskedAgent } from '../../test/support/unasked-agent.ts';
import { userText } from '../model/message.ts';
import { Overlay } from '../overlay/overlay.ts';
import { Transcript } from '../storage/transcript.ts';
import { askGuards } from '../tools/guard.ts';
import type { GuardedCall } from '../tools/guarded-call.ts';
import type { Ask } from '../tools/permission-request.ts';
import { Baseline } from '../workspace/baseline.ts';
import { hashContent } from '../workspace/content-hash.ts';
import { DiskSource } from '../workspace/disk-source.ts';
import { Conversation, type ConversationParts } from './conversation.ts';
import { ForkedFiles } from './files/agent-files.ts';
import { mergeFork } from './fork-merge.ts';
import { PermissionGuard } from './permission/permission-guard.ts';
import { renderRule } from './permission/permission-rule.ts';

const calm = new AbortController().signal;

function parts({ workspace }: ScratchWorkspace, ask?: Ask): ConversationParts {
  const files = new ForkedFiles(Overlay.on(new Baseline(new DiskSource(workspace))));
  return {
    agent: unaskedAgent,
    roots: [{ name: 'work', workspace, files }],
    permissions: new PermissionGuard({ mode: 'default', allow: [], deny: [] }),
    ...(ask && { ask }),
    commands: { run: async () => ({ kind: 'boundary', rule: 'none', why: 'There are none.' }) },
    opening: '',
  };
}

const work = {
  messages: [userText('do it'), { role: 'assistant', content: [{ kind: 'text', text: 'Done.' }] }],
  seen: [{ absolute: '/work/a.ts', hash: hashContent({ kind: 'text', text: 'a' }) }],
  todos: [{ content: 'do it', status: 'completed' }],
  usage: { input: 10, cachedInput: 5, cacheWrite: 0, output: 2 },
} as const;

function stateOf({ history: { messages }, todos, reads }: Conversation) {
  return { messages, todos, seen: reads.entries() };
}

test('the work of a fork is taken in as a whole, and is there as a whole when it is resumed', async () => {
  await using scratch = await ScratchWorkspace.create();
  const kept = () => ({ id: 'one', transcript: new Transcript(scratch.at('one.jsonl')) });
  await using conversation = Conversation.begin({ ...parts(scratch), kept: kept() });
  await mergeFork(conversation, work);
  const { usage, ...reported } = work;
  expect(stateOf(conversation)).toEqual(reported);
  expect(conversation.history.usage).toEqual(usage);
  await using resumed = await Conversation.resume({ ...parts(scratch), kept: kept() });
  expect(stateOf(resumed)).toEqual(reported);
});

test('work that cannot be kept leaves the conversation as it was, in every part', async () => {
  await using scratch = await ScratchWorkspace.create();
  const path = scratch.at('one.jsonl');
  await using conversation = Conversation.begin({
    ...parts(scratch),
    kept: { id: 'one', transcript: new Transcript(path) },
  });
  await conversation.history.addUserMessage([{ kind: 'text', text: 'Hello.' }]);
  await conversation[Symbol.asyncDispose]();
  const before = {
    ...stateOf(conversation),
    usage: conversation.history.usage,
    prefix: conversation.history.prefix,
  };
  await rm(path);
  await mkdir(path);
  await expect(mergeFork(conversation, work)).rejects.toMatchObject({
    code: 'storage/transcript-unwritable',
  });
  const after = {
    ...stateOf(conversation),
    usage: conversation.history.usage,
    prefix: conversation.history.prefix,
  };
  expect(after).toEqual(before);
  expect(after.prefix).toBe(before.prefix);
});

test('what was always allowed is allowed again in the same conversation, and in no other', async () => {
  await using scratch = await ScratchWorkspace.create();
  const asked: string[] = [];
  const ask: Ask = async ({ call, suggestion }) => {
    asked.push(call.id);
    return { kind: 'allow-always', rule: suggestion, scope: 'conversation' };
  };
  const kept = (id: string) => ({ id, transcript: new Transcript(scratch.at(`${id}.jsonl`)) });
  const call = (id: string): GuardedCall => ({
    id,
    tool: 'Bash',
    input: {},
    effect: 'process',
    subject: { kind: 'command', command: 'npm test' },
  });
  {
    await using first = Conversation.begin({ ...parts(scratch, ask), kept: kept('one') });
    await first.history.addUserMessage([{ kind: 'text', text: 'Test it.' }]);
    await askGuards(first.setup, call('first'), calm);
  }
  await using resumed = await Conversation.resume({ ...parts(scratch, ask), kept: kept('one') });
  expect(resumed.setup.permissions.allowed.map(renderRule)).toEqual(['Bash(npm test:*)']);
  expect(await askGuards(resumed.setup, call('resumed'), calm)).toEqual({ kind: 'allow', warnings: [] });
  await using other = Conversation.begin({ ...parts(scratch, ask), kept: kept('two') });
  await askGuards(other.setup, call('other'), calm);
  expect(asked).toEqual(['first', 'other']);
});

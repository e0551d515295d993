import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../../../test/support/scratch-workspace.ts';
import { scriptedClient } from '../../../test/support/scripted-provider-client.ts';
import { mergeFork } from '../../agent/fork-merge.ts';
import { silentLog } from '../../base/log.ts';
import { settingsOf } from '../../config/settings.ts';
import type { FoundModel } from '../../model/discover-model.ts';
import { userText } from '../../model/message.ts';
import { Forerun } from '../forerun.ts';
import type { ConversationWish } from './chat-host.ts';
import { ChatService } from './chat-service.ts';

const calm = new AbortController().signal;
const log = silentLog;

/** A model that no test here asks. */
const found: FoundModel = {
  client: scriptedClient({ url: 'http://127.0.0.1:9' }, 'openai'),
  provider: 'openai-compatible',
  model: 'none',
  address: 'http://127.0.0.1:9',
  capability: { contextTokens: 10_000, thinking: 'none', sampling: 'settable' },
};

test('a conversation that one process has open is refused to another until it is closed', async () => {
  await using scratch = await ScratchWorkspace.create({ 'a.txt': 'a\n' });
  await using state = await ScratchWorkspace.create({});
  await using forerun = new Forerun({ definitions: [], log, env: {}, daemon: 'off' });
  const options = {
    directory: scratch.workspace.root,
    settings: settingsOf(new Map()),
    find: async () => found,
    interaction: 'none',
    env: { XDG_STATE_HOME: state.workspace.root },
    log,
  } as const;
  await using one = await ChatService.open(forerun, options, calm);
  await using other = await ChatService.open(forerun, options, calm);
  const { conversation } = await one.open({ kind: 'begin' }, undefined, calm);
  await mergeFork(conversation, { messages: [userText('hello')], seen: [] });
  const own = await other.open({ kind: 'begin' }, undefined, calm);
  const resume = { kind: 'resume', id: conversation.id } as const;
  await expect(other.open(resume, undefined, calm)).rejects.toMatchObject({
    code: 'storage/transcript-in-use',
  });
  // The refusal left the other's own conversation open.
  await mergeFork(own.conversation, { messages: [userText('still here')], seen: [] });
  await one.open({ kind: 'model', name: 'other' }, undefined, calm);
  await expect(other.open(resume, undefined, calm)).rejects.toThrow('open in another process');
  await one.open({ kind: 'begin' }, undefined, calm);
  const resumed = await other.open(resume, undefined, calm);
  expect(resumed.conversation.history.messages).toHaveLength(1);
});

test('however many conversations a chat opens, one connection is open, and none after it', async () => {
  await using scratch = await ScratchWorkspace.create({ 'a.txt': 'a\n' });
  await using state = await ScratchWorkspace.create({});
  await using forerun = new Forerun({ definitions: [], log, env: {}, daemon: 'off' });
  const find = async (name: string | undefined): Promise<FoundModel> => {
    if (name === 'absent') throw new Error('no such model');
    return { ...found, model: name ?? found.model };
  };
  const settings = settingsOf(new Map());
  const env = { XDG_STATE_HOME: state.workspace.root };
  const directory = scratch.workspace.root;
  const chat = await ChatService.open(
    forerun,
    { directory, settings, find, interaction: 'interactive', env, log },
    calm,
  );
  const first = await chat.open({ kind: 'begin' }, undefined, calm);
  await mergeFork(first.conversation, { messages: [userText('hello')], seen: [] });
  const { id } = first.conversation;
  const wishes: readonly ConversationWish[] = [
    { kind: 'begin' },
    { kind: 'resume', id },
    { kind: 'model', name: 'other' },
    { kind: 'begin' },
    { kind: 'resume', id: undefined },
  ];
  for (const wish of wishes) {
    await chat.open(wish, undefined, calm);
    expect(forerun.connections.size).toBe(1);
  }
  await expect(chat.open({ kind: 'model', name: 'absent' }, undefined, calm)).rejects.toThrow(
    'no such model',
  );
  expect(forerun.connections.size).toBe(1);
  await chat[Symbol.asyncDispose]();
  expect(forerun.connections.size).toBe(0);
});

/** Forks of a conversation against a provider that keeps a prompt cache. */
import { describe, expect, test } from 'vitest';
import { type FrozenPrefix, frozenPrefix } from '../../src/model/frozen-prefix.ts';
import { type Message, userText } from '../../src/model/message.ts';
import type { ModelClient } from '../../src/model/model-client.ts';
import { collectReply } from '../../src/model/reply.ts';
import { uncachedInput } from '../../src/model/usage.ts';
import { type RecordedRequest, ScriptedProvider } from '../support/scripted-provider.ts';
import { dialectProviders, scriptedClient, scriptedRequest } from '../support/scripted-provider-client.ts';

const calm = new AbortController().signal;

/** Has the next thing said, and answers the conversation with the reply in it. */
async function turn(client: ModelClient, before: FrozenPrefix, said: Message): Promise<FrozenPrefix> {
  const asked = before.append(said);
  const { message } = await collectReply(client.stream(asked.request, calm));
  return asked.append(message);
}

/** Twenty messages: ten questions, each with a call or an answer. */
async function conversation(client: ModelClient): Promise<FrozenPrefix> {
  const system = 'You work on a code base and answer in short sentences. '.repeat(40);
  let prefix = frozenPrefix(client.dialect, scriptedRequest({ system, messages: [] }));
  for (let index = 0; index < 10; index += 1) {
    const called = prefix.request.messages.at(-1)?.content.find((part) => part.kind === 'tool-call');
    const result = {
      kind: 'tool-result',
      name: 'Read',
      text: `line ${index} `.repeat(30),
      outcome: 'done',
    } as const;
    prefix = await turn(
      client,
      prefix,
      called?.kind === 'tool-call'
        ? { role: 'user', content: [{ ...result, id: called.id }] }
        : userText(`Question ${index}: why?`),
    );
  }
  expect(prefix.request.messages).toHaveLength(20);
  return prefix;
}

function last({ requests }: ScriptedProvider): RecordedRequest {
  const request = requests.at(-1);
  if (!request) throw new Error('nothing was asked');
  return request;
}

describe.each(dialectProviders)('%s', (name) => {
  async function talk() {
    const provider = await ScriptedProvider.open();
    provider.script(({ json }) =>
      Array.isArray(json.messages) && json.messages.length % 3 === 0
        ? [{ call: 'Read', arguments: { path: 'src/a.ts' } }]
        : [{ text: 'Because it was written that way, a long time ago.' }],
    );
    const client = scriptedClient(provider, name);
    const parent = await conversation(client);
    return { provider, client, parent, prefixTokens: last(provider).promptTokens };
  }

  test('every turn is served from the cache up to the turn before it', async () => {
    const { provider } = await talk();
    await using _ = provider;
    const { requests } = provider;
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1];
      if (before) expect(request.cachedTokens / before.promptTokens).toBeGreaterThan(0.95);
    }
  });

  test('a fork is served at least 95 % of its prefix', async () => {
    const { provider, client, parent, prefixTokens } = await talk();
    await using _ = provider;
    const fork = await turn(client, parent, userText('run the tests'));
    expect(last(provider).cachedTokens / prefixTokens).toBeGreaterThanOrEqual(0.95);
    expect(fork.divergence(parent)).toEqual([]);
    await turn(client, fork, userText('and commit'));
    expect(last(provider).cachedTokens / prefixTokens).toBeGreaterThanOrEqual(1);
  });

  test('a suggestion reads from the cache, and its own words are not put there where that can be chosen', async () => {
    const { provider, client, parent, prefixTokens } = await talk();
    await using _ = provider;
    const { request } = parent.append(userText('What would the user type next? '.repeat(20)));
    const reply = await collectReply(client.stream({ ...request, tail: 'discarded' }, calm));
    expect(last(provider).cachedTokens / prefixTokens).toBeGreaterThanOrEqual(0.95);
    expect(reply.usage.cacheWrite).toBe(0);
    expect(uncachedInput(reply.usage)).toBeLessThan(
      name === 'ollama' ? Number.POSITIVE_INFINITY : prefixTokens,
    );
    expect(reply.usage.cachedInput).toBe(name === 'ollama' ? undefined : last(provider).cachedTokens);
  });

  test('the turn after a rejected fork is served as if there had been none', async () => {
    const { provider, client, parent, prefixTokens } = await talk();
    await using _ = provider;
    await turn(client, parent, userText('a guess'));
    await turn(client, parent, userText('what was really meant'));
    expect(last(provider).cachedTokens / prefixTokens).toBeGreaterThanOrEqual(0.95);
  });

  test('one changed parameter costs the whole prefix', async () => {
    const { provider, client, parent, prefixTokens } = await talk();
    await using _ = provider;
    const { request } = parent.append(userText('run the tests'));
    const changed = {
      ...request,
      tools: request.tools.map((tool) => ({ ...tool, description: 'Reads files.' })),
    };
    await collectReply(client.stream(changed, calm));
    expect(last(provider).cachedTokens / prefixTokens).toBeLessThan(0.1);
  });
});

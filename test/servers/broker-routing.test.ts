/** Who hears what a server says, when several clients share it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pullDiagnostics } from '../../src/lsp/feature/diagnostic-pull.ts';
import type { LanguageServer } from '../../src/lsp/language-server.ts';
import { languageId } from '../../src/servers/language.ts';
import { BrokerWorld } from '../support/broker-world.ts';
import { type Behaviour, scriptedRequests } from '../support/scripted.ts';
import { scriptedDefinition } from '../support/scripted-definition.ts';
import { until } from '../support/until.ts';
import { calm, type World } from '../support/world.ts';

const files = { 'a.scripted': 'disk a\n', 'b.scripted': 'disk b\n' };

function open(behaviour: Behaviour, poolSize = 1): Promise<BrokerWorld> {
  return BrokerWorld.open(files, {
    definition: scriptedDefinition(behaviour),
    language: 'scripted',
    poolSize,
  });
}

function ask(client: LanguageServer, method: string, params: unknown = {}): Promise<unknown> {
  return client.request(method, params, {}, calm);
}

/** What the server behind the broker has open for a client's question: the texts by file name. */
async function texts(client: LanguageServer): Promise<Readonly<Record<string, string>>> {
  const documents = Object.entries(Object(await ask(client, scriptedRequests.documents)));
  return Object.fromEntries(
    documents.map(([uri, document]) => [uri.split('/').at(-1) ?? '', Object(document).text]),
  );
}

test('a client asks a server that shows its own documents, whatever others show', async () => {
  await using house = await open({});
  const [one, other] = [await house.wire(), await house.wire()];
  one.documents.open(house.uri('a.scripted'), 'scripted', 'one');
  other.documents.open(house.uri('a.scripted'), 'scripted', 'other');
  other.documents.open(house.uri('new.scripted'), 'scripted', 'not on disk');
  for (let round = 0; round < 3; round += 1) {
    expect(await texts(one)).toEqual({ 'a.scripted': 'one' });
    expect(await texts(other)).toEqual({ 'a.scripted': 'other', 'new.scripted': 'not on disk' });
  }
  other.documents.close(house.uri('a.scripted'));
  expect(await texts(other)).toMatchObject({ 'a.scripted': files['a.scripted'] });
});

test('notifications and questions of a client take effect in the order they came', async () => {
  await using house = await open({});
  const client = await house.wire();
  const uri = house.uri('a.scripted');
  client.documents.open(uri, 'scripted', 'text 0');
  const seen = Array.from({ length: 20 }, (_, round) => {
    client.documents.change(uri, `text ${round}`);
    return texts(client);
  });
  expect((await Promise.all(seen)).map((each) => each['a.scripted'])).toEqual(
    Array.from({ length: 20 }, (_, round) => `text ${round}`),
  );
});

test('a client that asks again sends the server nothing but the question', async () => {
  await using house = await open({});
  const client = await house.wire();
  client.documents.open(house.uri('a.scripted'), 'scripted', 'one');
  await texts(client);
  const before = Object(await ask(client, scriptedRequests.received));
  for (let round = 0; round < 5; round += 1) await texts(client);
  const after = Object(await ask(client, scriptedRequests.received));
  expect(after.slice(before.length)).toEqual([
    ...Array.from({ length: 5 }, () => scriptedRequests.documents),
    scriptedRequests.received,
  ]);
});

test('a publication reaches the client whose text it is about, under the version that client gave it', async () => {
  await using house = await open({ diagnostics: 'push' });
  const [one, other] = [await house.wire(), await house.wire()];
  const uri = house.uri('a.scripted');
  const heard = (client: LanguageServer) => {
    const publications: string[] = [];
    client.publications.published.subscribe(({ version, diagnostics }) => {
      publications.push(`${version} ${diagnostics.map(({ message }) => message)}`);
    });
    return publications;
  };
  const [atOne, atOther] = [heard(one), heard(other)];
  one.documents.open(uri, 'scripted', 'ERROR(first)');
  other.documents.open(uri, 'scripted', 'nothing yet');
  other.documents.change(uri, 'nothing again');
  other.documents.change(uri, 'ERROR(second)');
  await texts(one);
  await until(() => expect(atOne).toEqual(['1 first']));
  await texts(other);
  await until(() => expect(atOther).toEqual(['3 second']));
  one.documents.change(uri, 'ERROR(third)');
  await texts(one);
  await until(() => expect(atOne).toEqual(['1 first', '2 third']));
  expect(atOther).toEqual(['3 second']);
});

test('versions inside an answer are those of the client who asked; one it cannot know is null', async () => {
  const edit = (uri: string, version: number) => ({ textDocument: { uri, version }, edits: [] });
  await using house = await BrokerWorld.open(files, {
    definition: (uri) => {
      const [a, b] = [uri('a.scripted'), uri('b.scripted')];
      const documentChanges = [edit(a, 1), edit(a, 2), edit(b, 1)];
      return scriptedDefinition({
        results: { 'textDocument/rename': { documentChanges, data: edit(a, 1) } },
      });
    },
    language: 'scripted',
  });
  const [one, other] = [await house.wire(), await house.wire()];
  const uri = house.uri('a.scripted');
  one.documents.open(uri, 'scripted', 'one');
  for (const text of ['two', 'three', 'four']) one.documents.change(uri, text);
  await texts(one);
  other.documents.open(uri, 'scripted', 'other');
  await texts(other);
  const renamed = async (client: LanguageServer) => Object(await ask(client, 'textDocument/rename'));
  const versions = async (client: LanguageServer) =>
    (await renamed(client)).documentChanges.map((change: object) => Object(change).textDocument.version);
  // The server counts the text of one as its first, that of the other as its second.
  expect(await versions(one)).toEqual([4, null, null]);
  expect(await versions(other)).toEqual([null, 1, null]);
  expect((await renamed(one)).data.textDocument.version).toBe(1);
});

test('a question that is cancelled is cancelled at the server, and so are those of a client that goes', async () => {
  await using house = await open({ neverAnswers: ['textDocument/hover'] });
  const [one, other] = [await house.wire(), await house.wire()];
  const impatient = new AbortController();
  const asked = one.request('textDocument/hover', {}, {}, impatient.signal);
  const received = async (client: LanguageServer, method: string) =>
    Object(await ask(client, scriptedRequests.received)).filter((each: string) => each === method);
  await until(async () => expect(await received(one, 'textDocument/hover')).toHaveLength(1));
  impatient.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  await until(async () => expect(await received(one, '$/cancelRequest')).toHaveLength(1));
  const lost = other.request('textDocument/hover', {}, {}, calm).catch(() => 'lost');
  await until(async () => expect(await received(other, 'textDocument/hover')).toHaveLength(2));
  await other[Symbol.asyncDispose]();
  expect(await lost).toBe('lost');
  await until(async () => expect(await received(one, '$/cancelRequest')).toHaveLength(2));
  await until(() => expect(house.broker.clients).toBe(1));
});

test('a client that keeps asking does not keep others from asking', async () => {
  await using house = await open({ answerAfterMs: { 'textDocument/hover': 20 } });
  const [greedy, modest] = [await house.wire(), await house.wire()];
  greedy.documents.open(house.uri('a.scripted'), 'scripted', 'greedy');
  modest.documents.open(house.uri('a.scripted'), 'scripted', 'modest');
  let isServed = false;
  const position = { textDocument: { uri: house.uri('a.scripted') }, position: { line: 0, character: 0 } };
  /** Two of these overlap at all times. */
  const keepAsking = async () => {
    while (!isServed) {
      const answer = Object(await ask(greedy, 'textDocument/hover', position));
      expect(answer.contents).toBe('greedy');
    }
  };
  const greed = [keepAsking(), keepAsking()];
  for (let round = 0; round < 5; round += 1) {
    expect(Object(await ask(modest, 'textDocument/hover', position)).contents).toBe('modest');
  }
  isServed = true;
  await Promise.all(greed);
});

test('who comes late is told what is registered and what still runs before anything else', async () => {
  const registrations = [
    { id: '1', method: 'textDocument/diagnostic', registerOptions: { identifier: 'x' } },
  ];
  await using house = await open({
    endlessProgress: true,
    asks: [{ method: 'client/registerCapability', params: { registrations } }],
  });
  const first = await house.wire();
  await until(() => expect(first.progress.isBusy).toBe(true));
  await until(() => expect(first.capabilities.diagnosticIdentifiers).toEqual([undefined, 'x']));
  const late = await house.wire();
  expect(late.progress.active.map(({ title }) => title)).toEqual(['Indexing']);
  expect(late.capabilities.diagnosticIdentifiers).toEqual([undefined, 'x']);
});

test('work that a server was doing when it died is over', async () => {
  await using house = await open({ endlessProgress: true });
  const client = await house.wire();
  await until(() => expect(client.progress.isBusy).toBe(true));
  for (const pid of house.pids) process.kill(pid, 'SIGKILL');
  await until(() => expect(client.progress.isBusy).toBe(false));
});

test('progress on a question goes to who asked, under the token they chose', async () => {
  await using house = await open({ reportsWork: true });
  const [one, other] = [await house.wire(), await house.wire()];
  const heard = [one, other].map((client) => {
    const tokens: unknown[] = [];
    client.noticed.subscribe(({ params }) => tokens.push(Object(params).token));
    return tokens;
  });
  await Promise.all([
    ask(one, scriptedRequests.documents, { workDoneToken: 'same' }),
    ask(other, scriptedRequests.documents, { workDoneToken: 'same' }),
  ]);
  expect(heard).toEqual([
    ['same', 'same'],
    ['same', 'same'],
  ]);
  expect([one.progress.isBusy, other.progress.isBusy]).toEqual([false, false]);
});

test('an edit a command asks for goes to who gave the command, and the server goes on from what they made of it', async () => {
  await using house = await BrokerWorld.open(files, {
    definition: (uri) => scriptedDefinition({ editsOnCommand: { changes: { [uri('a.scripted')]: [] } } }),
    language: 'scripted',
  });
  const uri = house.uri('a.scripted');
  const applied: unknown[] = [];
  const bystander = await house.wire({ applyEdit: async () => ({ applied: false }) });
  const client = await house.wire({
    applyEdit: async (edit) => {
      applied.push(edit);
      client.documents.change(uri, 'edited');
      return { applied: true };
    },
  });
  client.documents.open(uri, 'scripted', 'before');
  expect(await ask(client, 'workspace/executeCommand', { command: 'fix' })).toEqual({ applied: true });
  expect(applied).toEqual([{ changes: { [uri]: [] } }]);
  expect(await ask(bystander, 'workspace/executeCommand', { command: 'fix' })).toMatchObject({
    applied: false,
  });
  expect(await texts(client)).toEqual({ 'a.scripted': 'edited' });
});

test('a server that dies is a named failure of the question, and the next one goes to another', async () => {
  await using house = await open({ crashOn: { method: 'textDocument/hover' } });
  const client = await house.wire();
  client.documents.open(house.uri('a.scripted'), 'scripted', 'mine');
  await expect(ask(client, 'textDocument/hover')).rejects.toMatchObject({
    code: 'lsp/server-crashed',
    message: expect.stringContaining('out of luck'),
  });
  expect(await texts(client)).toEqual({ 'a.scripted': 'mine' });
});

test('a server that will not start ends the broker at the third try, and each who asked hears why', async () => {
  await using house = await open({ exitAtInitialize: 3 });
  const reasons: string[] = [];
  house.broker.ending.subscribe((reason) => reasons.push(reason));
  for (let round = 0; round < 3; round += 1) {
    await expect(house.wire()).rejects.toMatchObject({
      code: 'lsp/initialize-failed',
      message: expect.stringContaining('cannot start today'),
    });
  }
  expect(reasons.join()).toContain('cannot start today');
});

test('what a client says has changed on disk reaches the server before its next question', async () => {
  await using house = await open({});
  const [one, other] = [await house.wire(), await house.wire()];
  await texts(one);
  await house.keeper.write('fresh.scripted', 'fresh\n');
  other.notify('workspace/didChangeWatchedFiles', {
    changes: [{ uri: house.uri('fresh.scripted'), type: 1 }],
  });
  await texts(other);
  const reported = await ask(one, scriptedRequests.lastParams, { method: 'workspace/didChangeWatchedFiles' });
  expect(Object(reported).changes).toContainEqual({ uri: house.uri('fresh.scripted'), type: 1 });
});

describe('what a server said of a file as it is on disk', () => {
  const errors = { 'a.scripted': 'ERROR(one)\n', 'b.scripted': 'disk b\n' };

  /** What a client is told of the first file, and how often the server was asked until then. */
  async function reported(house: BrokerWorld, client: LanguageServer): Promise<readonly [string, number]> {
    const { items } = await pullDiagnostics(client, house.uri('a.scripted'), calm);
    const received = Object(await ask(client, scriptedRequests.received));
    const asked = received.filter((method: string) => method === 'textDocument/diagnostic').length;
    return [items.map(({ message }) => message).join(), asked];
  }

  async function openWithErrors(): Promise<BrokerWorld> {
    return BrokerWorld.open(errors, { definition: scriptedDefinition({}), language: 'scripted' });
  }

  test('is told to the next client without asking again', async () => {
    await using house = await openWithErrors();
    const [one, other] = [await house.wire(), await house.wire()];
    expect(await reported(house, one)).toEqual(['one', 1]);
    expect(await reported(house, other)).toEqual(['one', 1]);
  });

  test('is asked again once the disk has changed, whichever file it was', async () => {
    await using house = await openWithErrors();
    const client = await house.wire();
    await reported(house, client);
    await writeFile(join(house.root, 'b.scripted'), 'other b\n');
    expect(await reported(house, client)).toEqual(['one', 2]);
    await writeFile(join(house.root, 'a.scripted'), 'ERROR(two)\n');
    expect(await reported(house, client)).toEqual(['two', 3]);
  });

  test('is nothing to a client that shows something else, or has something else open', async () => {
    await using house = await openWithErrors();
    const [one, other] = [await house.wire(), await house.wire()];
    await reported(house, one);
    other.documents.open(house.uri('a.scripted'), 'scripted', 'ERROR(mine)\n');
    expect(await reported(house, other)).toEqual(['mine', 2]);
    other.documents.change(house.uri('a.scripted'), errors['a.scripted']);
    expect(await reported(house, other)).toEqual(['one', 3]);
    expect(await reported(house, other)).toEqual(['one', 3]);
    expect(await reported(house, one)).toEqual(['one', 3]);
  });
});

test('servers that may have missed changes are replaced for everybody', async () => {
  await using house = await open({});
  const [client, bystander] = [await house.client(), await house.client()];
  const use = async ({ view, workspace }: World) => {
    await using lease = await view.lease(languageId('scripted'), calm);
    const paths = [workspace.path('a.scripted')];
    return (await lease.diagnostics(paths, { timeoutMs: 30_000 }, calm)).map(({ proof }) => proof.kind);
  };
  expect([await use(client), await use(bystander)]).toEqual([['pulled'], ['pulled']]);
  const before = house.pids;
  client.live.disk.report([]);
  expect(await use(client)).toEqual(['pulled']);
  expect(await use(bystander)).toEqual(['pulled']);
  expect(house.pids).not.toEqual(before);
  expect(house.pids).toHaveLength(1);
});

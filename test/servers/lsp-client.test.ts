import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/base/failure.ts';
import { Log, silentLog } from '../../src/base/log.ts';
import { pullDiagnostics } from '../../src/lsp/feature/diagnostic-pull.ts';
import { LanguageServer } from '../../src/lsp/language-server.ts';
import type { ServerOptions } from '../../src/lsp/server-options.ts';
import { childProgram } from '../support/child-program.ts';
import { residentBytes } from '../support/resident-bytes.ts';
import { type Behaviour, scriptedRequests, scriptedServerCommand } from '../support/scripted.ts';
import { until } from '../support/until.ts';

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'lsp-client-')));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const signal = AbortSignal.timeout(600_000);
const uriOf = (name: string): string => pathToFileURL(join(root, name)).href;

function optionsFor(command: readonly string[], overrides: Partial<ServerOptions> = {}): ServerOptions {
  const rootUri = pathToFileURL(root).href;
  return {
    id: 'under-test',
    command,
    cwd: root,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'root' }],
    diagnosticsMode: 'pull',
    transport: { kind: 'stdio' },
    ...overrides,
  };
}

function start(behaviour: Behaviour, overrides: Partial<ServerOptions> = {}): Promise<LanguageServer> {
  const diagnosticsMode = behaviour.diagnostics?.startsWith('push') ? 'push' : 'pull';
  const options = optionsFor(scriptedServerCommand(behaviour), { diagnosticsMode, ...overrides });
  return LanguageServer.start(options, silentLog, signal);
}

const hover = (uri: string) => ({ textDocument: { uri }, position: { line: 0, character: 0 } });

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const outcome = await work.then(
    (value) => ({ value }),
    (thrown: unknown) => thrown,
  );
  if (!(outcome instanceof Failure))
    throw new Error(`expected a failure, got ${String(outcome)}`, { cause: outcome });
  return outcome;
}

/** A zombie has ended; only its parent has not looked yet. */
async function runs(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  return stat !== undefined && !/\) [ZX] /.test(stat);
}

describe('a server that fails has a named failure', () => {
  test('a program that does not exist, with the hint that installs it', async () => {
    const options = optionsFor(['no-such-language-server', '--stdio'], { installHint: 'npm i no-such' });
    const failure = await failureOf(LanguageServer.start(options, silentLog, signal));
    expect(failure).toMatchObject({ code: 'lsp/server-not-found', remedy: 'Install it: npm i no-such' });
  });

  test.each<[string, Behaviour, Partial<ServerOptions>, object]>([
    [
      'an end during the handshake, with its last words',
      { exitAtInitialize: 3 },
      {},
      {
        code: 'lsp/initialize-failed',
        message: expect.stringMatching(/ended with code 3\ncannot start today/),
      },
    ],
    [
      'a handshake refused',
      { errors: { initialize: { code: -32603, message: 'no licence' } } },
      {},
      { code: 'lsp/initialize-failed', message: expect.stringContaining('lsp error -32603: no licence') },
    ],
    [
      'a handshake that is never answered',
      { neverAnswers: ['initialize'] },
      { initializeTimeoutMs: 200 },
      {
        code: 'lsp/initialize-failed',
        message: expect.stringContaining('request initialize timed out after 200ms'),
      },
    ],
    [
      'text that is no message before the first message',
      { garbageOn: 'start' },
      {},
      { code: 'lsp/protocol-garbage', message: expect.stringContaining('Welcome to the scripted server!') },
    ],
  ])('%s', async (_, behaviour, overrides, expected) => {
    expect(await failureOf(start(behaviour, overrides))).toMatchObject(expected);
  });

  test.each<[string, Behaviour, object]>([
    [
      'a crash in the middle of a request, with exit code and last words',
      { crashOn: { method: 'textDocument/hover' } },
      {
        code: 'lsp/server-crashed',
        message: expect.stringMatching(/ended with code 70\nout of luck at textDocument\/hover/),
        report: { exitCode: 70 },
      },
    ],
    [
      'text that is no message in the middle of the conversation',
      { garbageOn: 'textDocument/hover', neverAnswers: ['textDocument/hover'] },
      { code: 'lsp/protocol-garbage' },
    ],
  ])('%s', async (_, behaviour, expected) => {
    await using server = await start({
      ...behaviour,
      neverAnswers: ['never', ...(behaviour.neverAnswers ?? [])],
    });
    const waiting = failureOf(server.request('never', {}, {}, signal));
    const idle = failureOf(server.publications.waitFor(() => true, signal));
    expect(
      await failureOf(server.request('textDocument/hover', hover(uriOf('a')), {}, signal)),
    ).toMatchObject(expected);
    expect(await waiting).toMatchObject(expected);
    expect(await idle).toMatchObject(expected);
    expect(await failureOf(server.request('later', {}, {}, signal))).toMatchObject(expected);
    expect(() => server.notify('later', {})).toThrow(Failure);
    expect(await server.exited).toMatchObject({ kind: 'crashed', failure: expected });
    expect(server.isRunning).toBe(false);
  });

  test('a crash on a notification is told to whoever asks next', async () => {
    await using server = await start({ crashOn: { method: 'textDocument/didChange', nth: 2 } });
    server.documents.open(uriOf('a.txt'), 'text', 'one');
    server.documents.change(uriOf('a.txt'), 'two');
    server.documents.change(uriOf('a.txt'), 'three');
    const failure = await failureOf(pullDiagnostics(server, uriOf('a.txt'), signal));
    expect(failure).toMatchObject({ code: 'lsp/server-crashed', report: { exitCode: 70 } });
  });

  test('an output that is closed while the process lives on', async () => {
    const command = [process.execPath, '-e', 'require("fs").closeSync(1); setInterval(() => {}, 60_000)'];
    const failure = await failureOf(LanguageServer.start(optionsFor(command), silentLog, signal));
    expect(failure).toMatchObject({ code: 'lsp/initialize-failed', cause: { code: 'lsp/server-crashed' } });
  });

  test('a server killed from outside', async () => {
    await using server = await start({});
    process.kill(server.pid ?? Number.NaN, 'SIGKILL');
    expect(await server.exited).toMatchObject({
      kind: 'crashed',
      failure: { code: 'lsp/server-crashed', report: { signal: 'SIGKILL' } },
    });
  });

  test('an address where nobody listens', async () => {
    const transport = { kind: 'tcp', host: '127.0.0.1', port: 1 } as const;
    const failure = await failureOf(LanguageServer.start(optionsFor([], { transport }), silentLog, signal));
    expect(failure.code).toBe('lsp/connect-failed');
  });
});

describe('a request', () => {
  test('that the server refuses, that takes too long and that is given up each end in their own way', async () => {
    await using server = await start({
      errors: { 'textDocument/hover': { code: -32602, message: 'no such position' } },
      neverAnswers: ['stall'],
    });
    expect(await failureOf(server.request('textDocument/hover', {}, {}, signal))).toMatchObject({
      code: 'lsp/response-error',
      message: 'lsp error -32602: no such position',
    });
    expect(await failureOf(server.request('stall', {}, { timeoutMs: 50 }, signal))).toMatchObject({
      code: 'lsp/request-timeout',
      message: 'request stall timed out after 50ms',
    });
    const caller = new AbortController();
    const given = server.request('stall', {}, {}, caller.signal);
    caller.abort('changed my mind');
    await expect(given).rejects.toBe('changed my mind');
    await expect(server.request('stall', {}, {}, caller.signal)).rejects.toBe('changed my mind');
    const received = await server.request(scriptedRequests.received, {}, {}, signal);
    expect(received).toMatchObject(expect.arrayContaining(['$/cancelRequest']));
    expect(server.isRunning).toBe(true);
  });

  test('shares its signal with any number of others', async () => {
    await using server = await start({});
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    const hovers = Array.from({ length: 50 }, () =>
      server.request('textDocument/hover', hover(uriOf('a')), {}, signal),
    );
    expect(await Promise.all(hovers)).toHaveLength(50);
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });

  test('that comes late is still answered', async () => {
    await using server = await start({ answerAfterMs: { 'textDocument/hover': 100 } });
    server.documents.open(uriOf('a.txt'), 'text', 'hello');
    expect(await server.request('textDocument/hover', hover(uriOf('a.txt')), {}, signal)).toEqual({
      contents: 'hello',
    });
  });

  test('the start of a server is given up at once when its caller gives up', async () => {
    const caller = new AbortController();
    const options = optionsFor(scriptedServerCommand({ neverAnswers: ['initialize'] }));
    const starting = LanguageServer.start(options, silentLog, caller.signal);
    caller.abort('not needed');
    await expect(starting).rejects.toBe('not needed');
  });
});

describe('documents', () => {
  test.each<[string, Behaviour]>([
    ['sent as ranges', { sync: 'incremental' }],
    ['sent whole', { sync: 'full' }],
    ['counted in UTF-8', { positionEncoding: 'utf-8' }],
    ['counted in UTF-32', { positionEncoding: 'utf-32' }],
  ])('are on the server what they are here: %s', async (_, behaviour) => {
    await using server = await start(behaviour);
    const uri = uriOf('d.txt');
    const texts = [
      '',
      'one\r\ntwo\r\n',
      'one\ntwo\r\n',
      'one\n🙂 two ERROR(é)\r\n',
      'one\n🙃 two ERROR(é)\r',
      '🙃🙂 ERROR(ü)',
    ];
    server.documents.open(uri, 'text', 'start ERROR(a)');
    for (const text of texts) {
      const version = server.documents.change(uri, text);
      const shown = await server.request(scriptedRequests.documents, {}, {}, signal);
      expect(shown).toEqual({ [uri]: { version, text } });
      const { items } = await pullDiagnostics(server, uri, signal);
      const found = items.map(({ range }) =>
        text.split(/\r\n|\n|\r/)[range.start.line]?.slice(range.start.character, range.end.character),
      );
      expect(found).toEqual(text.match(/ERROR\(.\)/g) ?? []);
    }
  });

  test('have versions that only grow, also when closed and opened again', async () => {
    await using server = await start({});
    const uri = uriOf('v.txt');
    const versions = [server.documents.open(uri, 'text', 'a'), server.documents.change(uri, 'b')];
    expect(server.documents.change(uri, 'b')).toBe(versions.at(-1));
    server.documents.close(uri);
    versions.push(server.documents.open(uri, 'text', 'b'), server.documents.change(uri, 'c'));
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(await server.request(scriptedRequests.documents, {}, {}, signal)).toEqual({
      [uri]: { version: versions.at(-1), text: 'c' },
    });
  });

  test('carry the extra members the catalogue asks for', async () => {
    await using server = await start({}, { didChangeExtras: { wantDiagnostics: true } });
    server.documents.open(uriOf('x.txt'), 'text', 'a');
    server.documents.change(uriOf('x.txt'), 'b');
    const asked = { method: 'textDocument/didChange' };
    const params = await server.request(scriptedRequests.lastParams, asked, {}, signal);
    expect(params).toMatchObject({ wantDiagnostics: true, textDocument: { version: 2 } });
  });
});

describe('diagnostics', () => {
  test('pulled from a server that is busy are asked for until they come', async () => {
    await using server = await start({ cancelsPulls: 5 });
    server.documents.open(uriOf('p.txt'), 'text', 'x\nERROR(boom) WARN(careful)');
    expect(await pullDiagnostics(server, uriOf('p.txt'), signal)).toMatchObject({
      items: [
        { severity: 'error', message: 'boom', range: { start: { line: 1, character: 0 } } },
        { severity: 'warning', message: 'careful' },
      ],
    });
  });

  test('that are never given end with the reason of the caller', async () => {
    await using server = await start({ cancelsPulls: Number.MAX_SAFE_INTEGER });
    const caller = new AbortController();
    const pulled = pullDiagnostics(server, uriOf('p.txt'), caller.signal);
    caller.abort('enough');
    await expect(pulled).rejects.toBe('enough');
  });

  test('pulled see what another document provides', async () => {
    await using server = await start({});
    server.documents.open(uriOf('needs.txt'), 'text', 'NEEDS(gives.txt)');
    const messages = async () =>
      (await pullDiagnostics(server, uriOf('needs.txt'), signal)).items.map((item) => item.message);
    expect(await messages()).toEqual(['needs gives.txt']);
    server.documents.open(uriOf('gives.txt'), 'text', 'PROVIDES');
    expect(await messages()).toEqual([]);
  });

  test('published are kept with the version they are for, and an older one does not pass for a newer', async () => {
    await using server = await start({ diagnostics: 'push', publishesOldVersionsLast: true });
    const uri = uriOf('[v].txt');
    server.documents.open(uri, 'text', 'fine');
    const version = server.documents.change(uri, 'ERROR(boom)');
    const fresh = await server.publications.waitFor((publication) => publication.version === version, signal);
    expect(fresh).toMatchObject({ uri, diagnostics: [{ message: 'boom' }] });
    const stale = await server.publications.waitFor(
      ({ version: reported }) => (reported ?? version) < version,
      signal,
    );
    expect(stale.sequence).toBeGreaterThan(fresh.sequence);
  });

  test('published without a version settle by silence, and silence alone settles nothing', async () => {
    await using server = await start({ diagnostics: 'push-unversioned', publishAfterMs: 50 });
    const uris = [uriOf('a.txt'), uriOf('b.txt')];
    const before = server.publications.sequence;
    const quiet = server.publications.waitQuiet(uris, before, 100, signal);
    for (const uri of uris) server.documents.open(uri, 'text', 'ERROR(x)');
    const settled = await quiet;
    expect(settled.map(({ uri, version, diagnostics }) => [uri, version, diagnostics.length])).toEqual(
      uris.map((uri) => [uri, undefined, 1]),
    );
    const unheard = server.publications.waitQuiet(
      uris,
      server.publications.sequence,
      1,
      AbortSignal.timeout(300),
    );
    await expect(unheard).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('what a server asks is answered', () => {
  const settings = { python: { analysis: { mode: 'strict' } }, 'flat.section': 7 };
  const rows: [string, unknown, unknown][] = [
    [
      'workspace/configuration',
      { items: [{ section: 'python.analysis' }, { section: 'flat.section' }, { section: 'missing' }, {}] },
      { result: [{ mode: 'strict' }, 7, {}, settings] },
    ],
    ['workspace/workspaceFolders', undefined, { result: [{ name: 'root', uri: expect.any(String) }] }],
    ['window/showMessageRequest', { type: 1, message: 'well?' }, { result: null }],
    ['window/showDocument', { uri: 'file:///a' }, { result: { success: false } }],
    ['workspace/semanticTokens/refresh', undefined, { result: null }],
    [
      'workspace/applyEdit',
      { edit: { changes: {} } },
      { result: { applied: false, failureReason: expect.any(String) } },
    ],
    [
      'client/registerCapability',
      {
        registrations: [
          { id: 'r1', method: 'textDocument/formatting' },
          { id: 'r2', method: 'textDocument/rename' },
        ],
      },
      { result: null },
    ],
    [
      'client/unregisterCapability',
      { unregisterations: [{ id: 'r2', method: 'textDocument/rename' }] },
      { result: null },
    ],
    ['scripted/unheardOf', {}, { error: { code: -32601, message: expect.any(String) } }],
  ];

  test('each in the shape the protocol promises', async () => {
    await using server = await start(
      { asks: rows.map(([method, params]) => ({ method, params })) },
      { settings },
    );
    const answers = async () => {
      const given = await server.request(scriptedRequests.answers, {}, {}, signal);
      return Array.isArray(given) ? given : [];
    };
    await until(async () => expect(await answers()).toEqual(rows.map(([, , answer]) => answer)));
    const has = ['documentFormattingProvider', 'renameProvider', 'hoverProvider'].map((name) =>
      server.capabilities.has(name),
    );
    expect(has).toEqual([true, false, true]);
  });

  test('settings that only suggestions need are sent once, before the first of them', async () => {
    const results = { 'textDocument/completion': [], 'textDocument/codeAction': [] };
    await using server = await start(
      { results },
      { settings: { imports: false }, suggestionSettings: { imports: true } },
    );
    const ask = (method: string) => server.request(method, hover(uriOf('a.scripted')), {}, signal);
    const received = async () => {
      const methods = (await server.request(scriptedRequests.received, {}, {}, signal)) as string[];
      return methods.filter((method) => /Configuration|completion|codeAction|hover/.test(method));
    };
    await ask('textDocument/hover');
    expect(await received()).toEqual(['textDocument/hover']);
    await ask('textDocument/codeAction');
    await ask('textDocument/completion');
    expect(await received()).toEqual([
      'textDocument/hover',
      'workspace/didChangeConfiguration',
      'textDocument/codeAction',
      'textDocument/completion',
    ]);
  });

  test('an edit is handed to whoever can apply it', async () => {
    const edits: unknown[] = [];
    const applyEdit = async (edit: unknown) => ({ applied: edits.push(edit) === 1 });
    await using server = await start(
      { asks: [{ method: 'workspace/applyEdit', params: { edit: { changes: {} } } }] },
      { applyEdit },
    );
    await until(() => expect(edits).toEqual([{ changes: {} }]));
    expect(server.capabilities.info).toEqual({ name: 'scripted', version: '1' });
  });
});

test('a server with work that never ends is busy as long as anybody waits', async () => {
  await using server = await start({ endlessProgress: true });
  await until(() => expect(server.progress.isBusy).toBe(true));
  expect(server.progress.active).toEqual([{ token: 'endless', title: 'Indexing' }]);
  await expect(server.progress.whenIdle(AbortSignal.abort('no longer'))).rejects.toBe('no longer');
});

describe('nothing outlives its owner', () => {
  test('a server in good order stops when it is asked to', async () => {
    const server = await start({});
    const pid = server.pid ?? Number.NaN;
    await Promise.all([server[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]);
    expect(await server.exited).toEqual({ kind: 'stopped' });
    expect(await runs(pid)).toBe(false);
    expect(await failureOf(server.request('any', {}, {}, signal))).toMatchObject({
      code: 'lsp/server-stopped',
    });
  });

  test('a server that refuses to go is killed, its children with it', async () => {
    const server = await start({ refusesShutdown: true, spawnsGrandchild: true });
    const family = familyOf(server);
    expect(await residentBytes(server.pid ?? 0)).toBeGreaterThan(10_000_000);
    await server[Symbol.asyncDispose]();
    await until(async () => expect(await anyRuns(family)).toBe(false));
  });

  test('the children of a server that crashed go with it', async () => {
    const server = await start({ spawnsGrandchild: true, crashOn: { method: 'textDocument/hover' } });
    const family = familyOf(server);
    await failureOf(server.request('textDocument/hover', {}, {}, signal));
    await server.exited;
    await until(async () => expect(await anyRuns(family)).toBe(false));
  });

  test.skipIf(process.platform !== 'linux')(
    'a server and its children end when we are killed without a chance to say so',
    async () => {
      const owner = startOwner({ refusesShutdown: true, spawnsGrandchild: true });
      const family: number[] = JSON.parse(await firstLine(owner));
      expect(await Promise.all(family.map(runs))).toEqual([true, true]);
      owner.kill('SIGKILL');
      await until(async () => expect(await anyRuns(family)).toBe(false));
    },
  );

  test('a server somebody else started is left running', async () => {
    const [program = '', ...args] = scriptedServerCommand({});
    const connections: ChildProcess[] = [];
    const listener = createServer((socket) => {
      const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      connections.push(child);
      socket.pipe(child.stdin, { end: false });
      child.stdout.pipe(socket);
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const address = listener.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const transport = { kind: 'tcp', host: '127.0.0.1', port } as const;
    const server = await LanguageServer.start(optionsFor([], { transport }), silentLog, signal);
    server.documents.open(uriOf('t.txt'), 'text', 'ERROR(far)');
    expect((await pullDiagnostics(server, uriOf('t.txt'), signal)).items).toMatchObject([{ message: 'far' }]);
    await server[Symbol.asyncDispose]();
    expect(await server.exited).toEqual({ kind: 'stopped' });
    expect(connections.map((child) => child.exitCode)).toEqual([null]);
    for (const child of connections) child.kill('SIGKILL');
    await new Promise((resolve) => listener.close(resolve));
  });
});

describe('real servers tell the truth about the text just sent', () => {
  const require = createRequire(import.meta.url);
  const typescriptBinary = join(
    dirname(require.resolve(`@typescript/typescript-${process.platform}-${process.arch}/package.json`)),
    'lib',
    process.platform === 'win32' ? 'tsc.exe' : 'tsc',
  );
  const pyright = fileURLToPath(new URL('../../node_modules/pyright/langserver.index.js', import.meta.url));

  test.each<[string, string[], string, string, string, string]>([
    [
      'TypeScript 7',
      [typescriptBinary, '--lsp', '--stdio'],
      'typescript',
      'a[1].ts',
      'export const n: number = 1;\n',
      'export const n: number = "1";\n',
    ],
    ['pyright', [process.execPath, pyright, '--stdio'], 'python', 'a.py', 'n: int = 1\n', 'n: int = "1"\n'],
  ])('%s', async (_, command, languageId, name, clean, broken) => {
    expect(command.every((part) => part.startsWith('--') || existsSync(part))).toBe(true);
    await writeFile(join(root, name), clean);
    const events: string[] = [];
    const log = new Log(({ event }) => events.push(event));
    const server = await LanguageServer.start(optionsFor(command), log, signal);
    const errors = async () =>
      (await pullDiagnostics(server, uriOf(name), signal)).items.filter((item) => item.severity === 'error')
        .length;
    server.documents.open(uriOf(name), languageId, clean);
    expect(await errors()).toBe(0);
    for (let round = 0; round < 5; round += 1) {
      server.documents.change(uriOf(name), broken);
      expect(await errors()).toBe(1);
      server.documents.change(uriOf(name), clean);
      expect(await errors()).toBe(0);
    }
    expect(server.capabilities.has('diagnosticProvider')).toBe(true);
    expect(await residentBytes(server.pid ?? 0)).toBeGreaterThan(10_000_000);
    await server[Symbol.asyncDispose]();
    expect(events).not.toContain('lsp.shutdown_forced');
  });
});

function familyOf(server: LanguageServer): number[] {
  const { experimental } = server.capabilities.raw;
  const grandchild = Object(experimental).grandchild;
  if (typeof grandchild !== 'number' || server.pid === undefined) throw new Error('no family');
  return [server.pid, grandchild];
}

async function anyRuns(pids: readonly number[]): Promise<boolean> {
  return (await Promise.all(pids.map(runs))).includes(true);
}

/** A process of its own that starts a server, prints the ids of its family and waits. */
function startOwner(behaviour: Behaviour): ChildProcess {
  const options = JSON.stringify(optionsFor(scriptedServerCommand(behaviour)));
  return spawn(process.execPath, [childProgram('server-owner'), options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('nothing to read');
  for await (const line of createInterface(child.stdout)) return line;
  throw new Error('ended without a word');
}

/**
 * A language server whose faults are data: see `scripted.ts` for what it can be told to do, and for its
 * language. Started as a program with a `Behaviour` as JSON in its first argument.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createMessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { type Behaviour, scriptedRequests } from '../support/scripted.ts';

interface Position {
  readonly line: number;
  readonly character: number;
}

interface ContentChange {
  readonly range?: { readonly start: Position; readonly end: Position };
  readonly text: string;
}

interface Document {
  readonly version: number;
  readonly text: string;
}

/** The members of all messages that are read here; each message has those that belong to it. */
interface Params {
  readonly textDocument: { readonly uri: string; readonly version: number; readonly text: string };
  readonly position: Position;
  readonly contentChanges: readonly ContentChange[];
  readonly method: string;
}

const behaviour: Behaviour = JSON.parse(process.argv[2] ?? '{}');
const diagnosticsBy = behaviour.diagnostics ?? 'pull';
const encoding = behaviour.positionEncoding ?? 'utf-16';

const documents = new Map<string, Document>();
const received: string[] = [];
const lastParams = new Map<string, unknown>();
const answers: unknown[] = [];
let cancelledPulls = 0;
/** Whoever is answered after the handshake has been told of the endless work before. */
let announced: Promise<void> | undefined;

const connection = createMessageConnection(
  new StreamMessageReader(process.stdin),
  new StreamMessageWriter(process.stdout),
);

const requests: Readonly<Record<string, (params: Params) => unknown>> = {
  initialize: () => ({
    capabilities: {
      textDocumentSync: { openClose: true, change: behaviour.sync === 'full' ? 1 : 2 },
      hoverProvider: true,
      ...(behaviour.positionEncoding && { positionEncoding: behaviour.positionEncoding }),
      ...(diagnosticsBy === 'pull' && {
        diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
      }),
      ...behaviour.capabilities,
      ...(behaviour.spawnsGrandchild && { experimental: { grandchild: spawnGrandchild() } }),
    },
    serverInfo: { name: 'scripted', version: '1' },
  }),
  shutdown: () => null,
  'textDocument/hover': ({ textDocument, position }) => ({
    contents: linesOf(textOf(textDocument.uri) ?? '')[position.line],
  }),
  'textDocument/diagnostic': ({ textDocument }) => {
    if (cancelledPulls++ < (behaviour.cancelsPulls ?? 0)) {
      throw new ResponseError(-32802, 'not now', { retriggerRequest: true });
    }
    return { kind: 'full', items: diagnose(textDocument.uri, textOf(textDocument.uri) ?? '') };
  },
  ...(behaviour.editsOnCommand !== undefined && {
    'workspace/executeCommand': () =>
      connection.sendRequest('workspace/applyEdit', { edit: behaviour.editsOnCommand }),
  }),
  [scriptedRequests.documents]: () => Object.fromEntries(documents),
  [scriptedRequests.received]: () => received,
  [scriptedRequests.answers]: () => answers,
  [scriptedRequests.lastParams]: ({ method }) => lastParams.get(method) ?? null,
};

const notifications: Readonly<Record<string, (params: Params) => void | Promise<void>>> = {
  initialized: afterHandshake,
  exit: () => {
    if (!behaviour.refusesShutdown) process.exit(0);
  },
  'textDocument/didOpen': ({ textDocument }) => {
    documents.set(textDocument.uri, { version: textDocument.version, text: textDocument.text });
    return publishAll();
  },
  'textDocument/didChange': ({ textDocument, contentChanges }) => {
    const text = contentChanges.reduce(applyChange, documents.get(textDocument.uri)?.text ?? '');
    const isSame = documents.get(textDocument.uri)?.text === text;
    documents.set(textDocument.uri, { version: textDocument.version, text });
    return isSame && behaviour.passesOverSameText ? undefined : publishAll();
  },
  'textDocument/didClose': ({ textDocument }) => {
    documents.delete(textDocument.uri);
    if (!diagnosticsBy.startsWith('push')) return;
    void connection.sendNotification('textDocument/publishDiagnostics', {
      uri: textDocument.uri,
      diagnostics: [],
    });
    return publishAll();
  },
  'workspace/didChangeWatchedFiles': () => publishAll(),
};

for (const [method, answer] of Object.entries(requests)) {
  connection.onRequest(method, (params: Params) => respond(method, params, () => answer(params)));
}
connection.onRequest((method, params) =>
  respond(method, params, () => {
    const results = behaviour.results ?? {};
    const about = isAboutDocument(params) ? basename(params.textDocument.uri) : '';
    for (const key of [`${method} ${about}`, method]) if (Object.hasOwn(results, key)) return results[key];
    throw new ResponseError(-32601, `unknown method ${method}`);
  }),
);
for (const [method, react] of Object.entries(notifications)) {
  connection.onNotification(method, (params: Params) => {
    arrived(method, params);
    return react(params);
  });
}
connection.onNotification(arrived);

// The transport keeps cancellation to itself, so it is noted where the bytes come in.
process.stdin.on('data', (chunk: Buffer) => {
  if (chunk.includes('"$/cancelRequest"')) received.push('$/cancelRequest');
});

if (behaviour.refusesShutdown) {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 60_000);
} else {
  connection.onClose(() => process.exit(1));
}
if (behaviour.garbageOn === 'start') writeSync(1, 'Welcome to the scripted server!\n');
connection.listen();

async function respond(method: string, params: unknown, answer: () => unknown): Promise<unknown> {
  arrived(method, params);
  await announced;
  const late = behaviour.answerAfterMs?.[method];
  if (late !== undefined) await pause(late);
  const about = isAboutDocument(params) ? basename(params.textDocument.uri) : '';
  const held = behaviour.heldWhile?.[`${method} ${about}`];
  while (held !== undefined && existsSync(held)) await pause(10);
  if (behaviour.reportsWork) await reportWork(params);
  const error = behaviour.errors?.[method];
  if (error) throw new ResponseError(error.code, error.message);
  const isIgnored =
    behaviour.neverAnswers?.includes(method) || (behaviour.refusesShutdown && method === 'shutdown');
  return isIgnored ? new Promise<never>(() => {}) : answer();
}

async function reportWork(params: unknown): Promise<void> {
  if (typeof params !== 'object' || params === null || !('workDoneToken' in params)) return;
  const token = params.workDoneToken;
  const begin = { kind: 'begin', title: 'Looking' };
  for (const value of [begin, { kind: 'end' }])
    await connection.sendNotification('$/progress', { token, value });
}

function isAboutDocument(params: unknown): params is Pick<Params, 'textDocument'> {
  return typeof params === 'object' && params !== null && 'textDocument' in params;
}

function arrived(method: string, params: unknown): void {
  received.push(method);
  lastParams.set(method, params);
  const { crashOn } = behaviour;
  const count = received.filter((other) => other === method).length;
  if (method === 'initialize' && behaviour.exitAtInitialize !== undefined) {
    end(behaviour.exitAtInitialize, 'cannot start today');
  }
  if (crashOn?.method === method && count === (crashOn.nth ?? 1)) end(70, `out of luck at ${method}`);
  if (behaviour.garbageOn === method) writeSync(1, 'segmentation fault, or so\n');
}

function end(code: number, words: string): never {
  writeSync(2, `${words}\n`);
  process.exit(code);
}

async function afterHandshake(): Promise<void> {
  if (behaviour.endlessProgress) announced = announceWork();
  await announced;
  for (const { method, params } of behaviour.asks ?? []) {
    await connection.sendRequest(method, params).then(
      (result) => answers.push({ result }),
      (error) => answers.push({ error: { code: error.code, message: error.message } }),
    );
  }
}

async function announceWork(): Promise<void> {
  const token = 'endless';
  await connection.sendRequest('window/workDoneProgress/create', { token });
  await connection.sendNotification('$/progress', { token, value: { kind: 'begin', title: 'Indexing' } });
}

function spawnGrandchild(): number | undefined {
  return spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' }).pid;
}

/** A change in one document can alter what is true of every other. */
async function publishAll(): Promise<void> {
  if (!diagnosticsBy.startsWith('push')) return;
  const snapshot = [...documents].map(([uri, { version, text }]) => ({
    uri,
    version,
    diagnostics: diagnose(uri, text),
  }));
  if (behaviour.publishAfterMs !== undefined) await pause(behaviour.publishAfterMs);
  for (const { uri, version, diagnostics } of snapshot) {
    const isVersioned = diagnosticsBy !== 'push-unversioned';
    if (behaviour.publishesVersionsAhead) {
      await connection.sendNotification('textDocument/publishDiagnostics', {
        uri,
        diagnostics: [],
        version: version + 7,
      });
      continue;
    }
    await connection.sendNotification('textDocument/publishDiagnostics', {
      uri,
      diagnostics,
      ...(isVersioned && { version }),
    });
    if (!behaviour.publishesOldVersionsLast || version === 1) continue;
    await connection.sendNotification('textDocument/publishDiagnostics', {
      uri,
      diagnostics: [],
      ...(isVersioned && { version: version - 1 }),
    });
  }
}

function diagnose(uri: string, text: string): unknown[] {
  return linesOf(text).flatMap((line, at) =>
    [...line.matchAll(/(ERROR|WARN|NEEDS)\(([^)]*)\)/g)]
      .filter(
        ([, word, argument]) =>
          word !== 'NEEDS' || !textOf(new URL(argument ?? '', uri).href)?.includes('PROVIDES'),
      )
      .map(({ 0: whole, 1: word, 2: argument, index }) => ({
        range: {
          start: { line: at, character: widthOf(line.slice(0, index)) },
          end: { line: at, character: widthOf(line.slice(0, index + whole.length)) },
        },
        severity: word === 'WARN' ? 2 : 1,
        source: 'scripted',
        message: word === 'NEEDS' ? `needs ${argument}` : argument,
      })),
  );
}

function textOf(uri: string): string | undefined {
  const open = documents.get(uri);
  if (open) return open.text;
  try {
    return readFileSync(fileURLToPath(uri), 'utf8');
  } catch {
    return undefined;
  }
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

function widthOf(text: string): number {
  if (encoding === 'utf-8') return Buffer.byteLength(text);
  return encoding === 'utf-32' ? [...text].length : text.length;
}

function applyChange(text: string, { range, text: replacement }: ContentChange): string {
  if (!range) return replacement;
  return text.slice(0, offsetOf(text, range.start)) + replacement + text.slice(offsetOf(text, range.end));
}

function offsetOf(text: string, { line, character }: Position): number {
  const breaks = [...text.matchAll(/\r\n|\n|\r/g)];
  const before = breaks[line - 1];
  const start = before ? before.index + before[0].length : 0;
  const end = breaks[line]?.index ?? text.length;
  let at = start;
  while (at < end && widthOf(text.slice(start, at)) < character)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}

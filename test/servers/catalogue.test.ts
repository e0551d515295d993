/** What the catalogue says of a server, held against the server itself; those that are not installed are skipped. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import type { Diagnostic } from '../../src/lsp/diagnostic.ts';
import { pullDiagnostics } from '../../src/lsp/feature/diagnostic-pull.ts';
import { LanguageServer } from '../../src/lsp/language-server.ts';
import { probeMounts } from '../../src/sandbox/mount.ts';
import { mountWorkspace } from '../../src/sandbox/mounted-workspace.ts';
import { serverCatalogue } from '../../src/servers/catalogue.ts';
import { documentIdOf, languageOf } from '../../src/servers/language.ts';
import { type DetectedServer, locateServer } from '../../src/servers/server-location.ts';
import { Workspace } from '../../src/workspace/workspace.ts';

const { signal } = new AbortController();
const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const provisioned = process.env.FORERUN_TEST_BIN || join(cache, 'forerun-test', 'bin');
const env = { ...process.env, PATH: [provisioned, process.env.PATH].join(delimiter) };

interface Sample {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** The file that is opened, the text that breaks it, and a word of the complaint. */
  readonly file: string;
  readonly broken: string;
  readonly complaint: string;
  /** A text for the file that is good only where `extra` exists. */
  readonly needsExtra: string;
  readonly extra: { readonly file: string; readonly text: string };
}

const samples: readonly Sample[] = [
  {
    name: 'typescript-7',
    files: {
      'tsconfig.json': '{"compilerOptions":{"strict":true}}',
      'a.ts': 'export const a: number = 1;\n',
    },
    file: 'a.ts',
    broken: 'export const a: number = "";\n',
    complaint: 'string',
    needsExtra: "import { b } from './b';\nexport const a: number = b;\n",
    extra: { file: 'b.ts', text: 'export const b = 1;\n' },
  },
  {
    name: 'pyright',
    files: { 'pyrightconfig.json': '{}', 'a.py': 'a: int = 1\n' },
    file: 'a.py',
    broken: 'a: int = ""\n',
    complaint: 'int',
    needsExtra: 'from b import b\na: int = b\n',
    extra: { file: 'b.py', text: 'b = 1\n' },
  },
  {
    name: 'gopls',
    files: { 'go.mod': 'module m\n\ngo 1.20\n', 'main.go': 'package main\n\nfunc main() {}\n' },
    file: 'main.go',
    broken: 'package main\n\nfunc main() { var _ int = "" }\n',
    complaint: 'int',
    needsExtra: 'package main\n\nfunc main() { b() }\n',
    extra: { file: 'b.go', text: 'package main\n\nfunc b() {}\n' },
  },
  {
    name: 'clangd',
    files: { 'a.c': 'int main(void) { return 0; }\n' },
    file: 'a.c',
    broken: 'int main(void) { return missing; }\n',
    complaint: 'missing',
    needsExtra: '#include "b.h"\nint main(void) { return b(); }\n',
    extra: { file: 'b.h', text: 'static int b(void) { return 0; }\n' },
  },
  {
    name: 'rust-analyzer',
    files: {
      'Cargo.toml': '[package]\nname = "m"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': 'pub fn a() -> i32 { 1 }\n',
    },
    file: 'src/lib.rs',
    broken: 'pub fn a() -> i32 { "text" }\n',
    complaint: 'i32',
    needsExtra: 'mod b;\npub fn a() -> i32 { b::b() }\n',
    extra: { file: 'src/b.rs', text: 'pub fn b() -> i32 { 1 }\n' },
  },
];

const scratch: string[] = [];
afterAll(async () => {
  for (const directory of scratch) await rm(directory, { recursive: true, force: true });
});

describe.each(samples)('$name', (sample) => {
  test('settles the way the catalogue says', async ({ skip }) => {
    const { workspace, located } = await plant(sample);
    if (!located) return skip('it is not installed');
    await using server = await start(workspace, located, located.command);
    const { files, file, broken, needsExtra, complaint } = sample;
    const document = open(server, workspace, located, sample);
    expect(await document.errorsIn(files[file] ?? '')).toEqual([]);
    expect(await document.errorsIn(broken)).toEqual([expect.stringContaining(complaint)]);
    expect(await document.errorsIn(files[file] ?? '')).toEqual([]);
    expect(await document.errorsIn(needsExtra)).not.toEqual([]);
  });

  test('sees a file that exists only in its mount', async ({ skip }) => {
    const { workspace, located } = await plant(sample);
    if (!located) return skip('it is not installed');
    const method = await probeMounts({ log: silentLog, env }, signal);
    await using mount = await mountWorkspace(workspace, { method, log: silentLog }, signal);
    const { extra, needsExtra, file } = sample;
    await mount.write(workspace.path(extra.file), { kind: 'text', text: extra.text });
    await mount.write(workspace.path(file), { kind: 'text', text: needsExtra });
    const shown = await Workspace.open(mount.root);
    await using server = await start(shown, located, mount.wrapCommand(located.command));
    expect(await open(server, shown, located, sample).errorsIn(needsExtra)).toEqual([]);
  });
});

async function plant(sample: Sample): Promise<{ workspace: Workspace; located: DetectedServer | undefined }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-catalogue-')));
  scratch.push(root);
  for (const [name, text] of Object.entries(sample.files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const definition = serverCatalogue.find(({ name }) => name === sample.name);
  if (!definition) throw new Error(`the catalogue has no ${sample.name}`);
  const { found: located } = await locateServer(
    definition,
    { workspaceDir: root, env, trust: 'untrusted' },
    signal,
  );
  return { workspace: await Workspace.open(root), located };
}

async function start(
  workspace: Workspace,
  { definition }: DetectedServer,
  command: readonly string[],
): Promise<LanguageServer> {
  const rootUri = workspace.uri(workspace.path('.'));
  const server = await LanguageServer.start(
    {
      id: definition.name,
      command,
      cwd: workspace.root,
      env,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: definition.name }],
      initializationOptions: definition.initializationOptions,
      settings: definition.settings,
      diagnosticsMode: definition.settle.mode === 'pull' ? 'pull' : 'push',
      experimental: definition.quirks.experimental,
      didChangeExtras: definition.quirks.didChangeExtras,
      transport: { kind: 'stdio' },
    },
    silentLog,
    signal,
  );
  if (definition.quirks.readiness !== 'immediate') await server.progress.whenIdle(signal);
  return server;
}

interface OpenSample {
  /** The messages of the errors the server finds once the file holds `text`. */
  errorsIn(text: string): Promise<readonly string[]>;
}

function open(
  server: LanguageServer,
  workspace: Workspace,
  { definition }: DetectedServer,
  { file, files }: Sample,
): OpenSample {
  const uri = workspace.uri(workspace.path(file));
  const language = languageOf(file);
  server.documents.open(uri, language ? documentIdOf(file, language) : 'plaintext', files[file] ?? '');
  return {
    async errorsIn(text) {
      const version = server.documents.change(uri, text);
      const diagnostics = await settled(server, uri, version, definition.settle.mode);
      return diagnostics.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    },
  };
}

async function settled(
  server: LanguageServer,
  uri: string,
  version: number,
  mode: string,
): Promise<readonly Diagnostic[]> {
  if (mode === 'pull') return (await pullDiagnostics(server, uri, signal)).items;
  const latest = server.publications.latest(uri);
  if (latest?.version !== undefined && latest.version >= version) return latest.diagnostics;
  const publication = await server.publications.waitFor(
    (candidate) => candidate.uri === uri && (candidate.version ?? -1) >= version,
    signal,
  );
  return publication.diagnostics;
}

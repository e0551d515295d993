import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serversFor } from '../../src/servers/catalogue.ts';
import { resolveEmbedded } from '../../src/servers/embedded-server.ts';
import { languageId } from '../../src/servers/language.ts';
import { detectServers, detectWorkspace } from '../../src/servers/server-detection.ts';
import { type DetectedServer, locateServer } from '../../src/servers/server-location.ts';

const { signal } = new AbortController();
const works = '#!/bin/sh\nexit 0\n';
const refuses = '#!/bin/sh\necho "unknown binary" >&2\nexit 1\n';

let tree = '';

beforeAll(async () => {
  tree = await realpath(await mkdtemp(join(tmpdir(), 'forerun-location-')));
  await programs({
    'launchers/rust-analyzer': refuses,
    'launchers/gopls': works,
    'machine/rust-analyzer': works,
    'machine/clangd-17': works,
    'machine/clangd-19': works,
    'own/node_modules/.bin/yaml-language-server': works,
    'own/.venv/bin/pylsp': works,
    'own/.venv/bin/python': works,
  });
  await mkdir(join(tree, 'bare'));
});

afterAll(() => rm(tree, { recursive: true, force: true }));

test.each([
  {
    promise: 'a launcher without a server behind it is passed over',
    language: 'rust',
    path: ['launchers', 'machine'],
    found: 'machine/rust-analyzer',
  },
  { promise: 'a launcher alone is no server', language: 'rust', path: ['launchers'], found: undefined },
  {
    promise: 'the newest of the versioned names is taken',
    language: 'c',
    path: ['machine'],
    found: 'machine/clangd-19',
  },
  {
    promise: 'the workspace has programs of its own',
    language: 'yaml',
    path: [],
    found: 'own/node_modules/.bin/yaml-language-server',
  },
  { promise: 'what is not there is not found', language: 'zig', path: ['machine'], found: undefined },
])('$promise', async ({ language, path, found }) => {
  const located = await locate(language, path);
  expect(located?.path).toBe(found && join(tree, found));
});

test('a relative directory on the search path is not searched', async () => {
  const env = { PATH: `.${delimiter}machine${delimiter}` };
  const [definition] = serversFor(languageId('c'));
  const places = { workspaceDir: join(tree, 'bare'), env, trust: 'trusted' } as const;
  expect(definition && (await locateServer(definition, places, signal))).toMatchObject({ found: undefined });
});

test('the virtual environment of the workspace is what Python is judged against', async () => {
  const own = await locate('python', []);
  const pythonPath = join(tree, 'own/.venv/bin/python');
  expect(own).toMatchObject({
    origin: 'embedded',
    definition: { settings: { python: { pythonPath, analysis: { diagnosticMode: 'openFilesOnly' } } } },
  });
  const bare = await detectServers({ workspaceDir: join(tree, 'bare'), env: {}, trust: 'trusted' }, signal);
  expect(JSON.stringify(bare)).not.toContain('pythonPath');
});

test('the embedded servers are there with nothing else installed', async () => {
  const places = { workspaceDir: join(tree, 'bare'), env: {}, trust: 'untrusted' } as const;
  const detected = await detectServers(places, signal);
  expect(detected.servers.map(({ definition, origin }) => [definition.name, origin])).toEqual([
    ['typescript-7', 'embedded'],
    ['pyright', 'embedded'],
  ]);
});

test.each([
  ['7.1.0', 'its own'],
  ['6.0.3', 'the embedded one'],
  ['not a version', 'the embedded one'],
])('a workspace that pins TypeScript %s gets %s', async (version, whose) => {
  const workspaceDir = join(tree, `pins-${version}`);
  const platform = `@typescript/typescript-${process.platform}-${process.arch}`;
  // As package managers lay it out: linked into place, with its own dependencies beside the real package.
  await programs({ [`pins-${version}/store/node_modules/${platform}/lib/tsc`]: works });
  const store = join(workspaceDir, 'store', 'node_modules');
  await mkdir(join(store, 'typescript'));
  await writeFile(join(store, 'typescript', 'package.json'), JSON.stringify({ name: 'typescript', version }));
  await writeFile(join(store, platform, 'package.json'), JSON.stringify({ name: platform, version }));
  await mkdir(join(workspaceDir, 'node_modules'));
  await symlink(join(store, 'typescript'), join(workspaceDir, 'node_modules', 'typescript'));
  const [binary = ''] = resolveEmbedded('typescript', workspaceDir);
  expect(binary.startsWith(workspaceDir)).toBe(whose === 'its own');
});

test('the tool answers with what to configure', async () => {
  const workspaceDir = join(tree, 'mixed');
  await mkdir(workspaceDir);
  for (const name of ['tsconfig.json', 'a.ts', 'b.py', 'c.js']) await writeFile(join(workspaceDir, name), '');
  expect(await detectWorkspace({ workspaceDir, trust: 'untrusted', env: process.env }, signal)).toMatchObject(
    {
      workspace_dir: workspaceDir,
      workspace_languages: ['typescript', 'javascript', 'json', 'python'],
      installed_servers: expect.arrayContaining([
        {
          language: 'typescript',
          server: 'typescript-7',
          path: expect.any(String),
          config_entry: 'typescript:typescript-7',
        },
      ]),
      suggested_config: expect.arrayContaining(['typescript:typescript-7', 'python:pyright']),
    },
  );
});

test('a directory that is not there is refused', async () => {
  await expect(
    detectWorkspace({ workspaceDir: join(tree, 'nowhere'), trust: 'untrusted', env: process.env }, signal),
  ).rejects.toMatchObject({
    code: 'workspace/not-a-directory',
  });
});

async function locate(language: string, path: readonly string[]): Promise<DetectedServer | undefined> {
  const env = { PATH: path.map((name) => join(tree, name)).join(delimiter) };
  const [definition] = serversFor(languageId(language));
  const places = { workspaceDir: join(tree, 'own'), env, trust: 'trusted' } as const;
  return definition && (await locateServer(definition, places, signal)).found;
}

async function programs(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(tree, name)), { recursive: true });
    await writeFile(join(tree, name), text);
    await chmod(join(tree, name), 0o755);
  }
}

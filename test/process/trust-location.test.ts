/** Every place a server is looked for, in a trusted and in an untrusted workspace; planted programs leave a mark. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serversFor } from '../../src/servers/catalogue.ts';
import { languageId } from '../../src/servers/language.ts';
import { detectServers, detectWorkspace } from '../../src/servers/server-detection.ts';
import { locateServer, type ServerLocation } from '../../src/servers/server-location.ts';
import type { Trust } from '../../src/workspace/trust.ts';

const { signal } = new AbortController();

let tree = '';
let canary = '';

beforeEach(async () => {
  tree = await realpath(await mkdtemp(join(tmpdir(), 'forerun-trust-location-')));
  canary = join(tree, 'canary');
  await mkdir(join(tree, 'ws'));
  await mkdir(join(tree, 'outside'));
});

afterEach(() => rm(tree, { recursive: true, force: true }));

/** A server that can be probed, so that finding it means executing it. */
const probed = 'rust-analyzer';

interface Planting {
  readonly place: string;
  /** Plants a server and answers the search path and the root under which it is offered. */
  readonly plant: () => Promise<{ readonly path: readonly string[]; readonly root?: string }>;
  readonly planted: string;
}

const plantings: readonly Planting[] = [
  {
    place: 'node_modules/.bin',
    planted: `ws/node_modules/.bin/${probed}`,
    plant: () => planting(`ws/node_modules/.bin/${probed}`, { path: [] }),
  },
  {
    place: '.venv/bin',
    planted: `ws/.venv/bin/${probed}`,
    plant: () => planting(`ws/.venv/bin/${probed}`, { path: [] }),
  },
  {
    place: 'venv/bin',
    planted: `ws/venv/bin/${probed}`,
    plant: () => planting(`ws/venv/bin/${probed}`, { path: [] }),
  },
  {
    place: 'a directory of the search path inside the workspace',
    planted: `ws/tools/${probed}`,
    plant: () => planting(`ws/tools/${probed}`, { path: ['ws/tools'] }),
  },
  {
    place: 'a directory of the search path that is a link into the workspace',
    planted: `linked/${probed}`,
    plant: async () => {
      await program(`ws/tools/${probed}`);
      await symlink(join(tree, 'ws/tools'), join(tree, 'linked'));
      return { path: ['linked'] };
    },
  },
  {
    place: 'an executable outside that is a link into the workspace',
    planted: `outside/${probed}`,
    plant: async () => {
      await program(`ws/tools/${probed}`);
      await symlink(join(tree, 'ws/tools', probed), join(tree, 'outside', probed));
      return { path: ['outside'] };
    },
  },
  {
    place: 'a link in the workspace to a program outside',
    planted: `ws/node_modules/.bin/${probed}`,
    plant: async () => {
      await program(`outside/evil`);
      await mkdir(join(tree, 'ws/node_modules/.bin'), { recursive: true });
      await symlink(join(tree, 'outside/evil'), join(tree, 'ws/node_modules/.bin', probed));
      return { path: [] };
    },
  },
  {
    place: 'an executable outside that leads through the workspace to another outside',
    planted: `outside/${probed}`,
    plant: async () => {
      await program(`elsewhere/evil`);
      await mkdir(join(tree, 'ws/hop'));
      await symlink(join(tree, 'elsewhere/evil'), join(tree, 'ws/hop/next'));
      await symlink(join(tree, 'ws/hop/next'), join(tree, 'outside', probed));
      return { path: ['outside'] };
    },
  },
  {
    place: 'node_modules/.bin of the monorepo around the opened package',
    planted: `ws/node_modules/.bin/${probed}`,
    plant: async () => {
      await program(`ws/node_modules/.bin/${probed}`);
      await writeFile(join(tree, 'ws/package.json'), '{}');
      await mkdir(join(tree, 'ws/packages/one'), { recursive: true });
      return { path: ['ws/node_modules/.bin'], root: 'ws/packages/one' };
    },
  },
];

describe.each(plantings)('a server in $place', ({ plant, planted }) => {
  test('is used when the workspace is trusted', async () => {
    const offer = await plant();
    const { found, withheld } = await locate(offer, 'trusted');
    expect(found?.path).toBe(join(tree, planted));
    expect(withheld).toEqual([]);
    expect(existsSync(canary)).toBe(true);
  });

  test('is neither used nor executed when it is not, and is named', async () => {
    const offer = await plant();
    const { found, withheld } = await locate(offer, 'untrusted');
    expect(found).toBeUndefined();
    expect(withheld).toEqual([{ kind: 'server', path: join(tree, planted) }]);
    expect(existsSync(canary)).toBe(false);
  });

  test('leaves the place to one of the machine', async () => {
    const offer = await plant();
    await program(`machine/${probed}`, 'works');
    const { found } = await locate({ ...offer, path: [...offer.path, 'machine'] }, 'untrusted');
    expect(found).toMatchObject({ path: join(tree, 'machine', probed), origin: 'path' });
    expect(existsSync(canary)).toBe(false);
  });
});

test.each(['.', '', 'tools'])('a relative entry %j of the search path is never used', async (entry) => {
  await program(`ws/tools/${probed}`);
  await program(`ws/${probed}`);
  const places = { workspaceDir: join(tree, 'ws'), env: { PATH: entry }, trust: 'untrusted' } as const;
  const [definition] = serversFor(languageId('rust'));
  expect(definition && (await locateServer(definition, places, signal)).found).toBeUndefined();
  expect(existsSync(canary)).toBe(false);
});

test('a launcher of the machine finds nothing of the workspace on its search path', async () => {
  await program('ws/node_modules/.bin/rustup-helper');
  await program('machine/rust-analyzer', 'exec rustup-helper');
  const { found } = await locate({ path: ['ws/node_modules/.bin', 'machine'] }, 'untrusted');
  expect(found).toBeUndefined();
  expect(existsSync(canary)).toBe(false);
});

test('detection names what it left alone and how to trust', async () => {
  await program('ws/node_modules/.bin/yaml-language-server');
  await program('ws/.venv/bin/python');
  await pinTypeScript();
  await Promise.all(['a.yaml', 'b.ts', 'c.py'].map((name) => writeFile(join(tree, 'ws', name), '')));
  const root = join(tree, 'ws');
  const { untrusted, installed_servers } = await detectWorkspace(
    { workspaceDir: root, trust: 'untrusted', env: process.env },
    signal,
  );
  expect(untrusted?.not_used.map((path) => path.slice(root.length + 1)).sort()).toEqual([
    '.venv/bin/python',
    'node_modules/.bin/yaml-language-server',
    expect.stringMatching(/^node_modules\/@typescript\/.*\/tsc$/),
  ]);
  expect(untrusted?.how_to_trust).toContain(`forerun trust ${root}`);
  expect(installed_servers.map(({ server }) => server).sort()).toEqual(['pyright', 'typescript-7']);
  expect(existsSync(canary)).toBe(false);
  expect(
    await detectWorkspace({ workspaceDir: root, trust: 'trusted', env: process.env }, signal),
  ).not.toHaveProperty('untrusted');
});

test('an untrusted workspace gets the embedded TypeScript, a trusted one its own', async () => {
  const own = await pinTypeScript();
  const paths = await Promise.all(
    (['trusted', 'untrusted'] as const).map(async (trust) => {
      const { servers } = await detectServers({ workspaceDir: join(tree, 'ws'), env: {}, trust }, signal);
      return servers.find(({ definition }) => definition.name === 'typescript-7')?.path;
    }),
  );
  expect(paths).toEqual([own, expect.not.stringContaining(tree)]);
});

test('the interpreter of an untrusted workspace is not named to a server, its packages are', async () => {
  await program('ws/.venv/bin/python');
  await mkdir(join(tree, 'ws/.venv/lib/python3.12/site-packages'), { recursive: true });
  const places = { workspaceDir: join(tree, 'ws'), env: {}, trust: 'untrusted' } as const;
  const { servers } = await detectServers(places, signal);
  const pyright = servers.find(({ definition }) => definition.name === 'pyright');
  const text = JSON.stringify(pyright?.definition.settings);
  expect(text).not.toContain('.venv/bin');
  expect(pyright?.definition.settings).toMatchObject({
    python: { analysis: { extraPaths: [join(tree, 'ws/.venv/lib/python3.12/site-packages')] } },
  });
});

async function locate(
  { path, root = 'ws' }: { readonly path: readonly string[]; readonly root?: string },
  trust: Trust,
): Promise<ServerLocation> {
  // The planted program calls nothing but the shell's own commands.
  const env = { PATH: path.map((name) => join(tree, name)).join(delimiter) };
  const [definition] = serversFor(languageId('rust'));
  if (!definition) throw new Error('no server for Rust');
  return locateServer(definition, { workspaceDir: join(tree, root), env, trust }, signal);
}

async function planting<Offer>(name: string, offer: Offer): Promise<Offer> {
  await program(name);
  return offer;
}

async function program(name: string, does: string = 'plants'): Promise<void> {
  const body = does === 'plants' ? `: > '${canary}'` : does === 'works' ? 'exit 0' : does;
  await mkdir(dirname(join(tree, name)), { recursive: true });
  await writeFile(join(tree, name), `#!/bin/sh\n${body}\n`);
  await chmod(join(tree, name), 0o755);
}

async function pinTypeScript(): Promise<string> {
  const platform = `@typescript/typescript-${process.platform}-${process.arch}`;
  const modules = join(tree, 'ws/node_modules');
  await program(`ws/node_modules/${platform}/lib/tsc`);
  await mkdir(join(modules, 'typescript'), { recursive: true });
  const version = '7.9.0';
  await writeFile(join(modules, 'typescript/package.json'), JSON.stringify({ name: 'typescript', version }));
  await writeFile(join(modules, platform, 'package.json'), JSON.stringify({ name: platform, version }));
  return join(modules, platform, 'lib/tsc');
}

/** Servers that run code of a workspace run confined, and are counted and ended like any other. */
import { symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLiving } from '../../src/process/living-process.ts';
import { languageId } from '../../src/servers/language.ts';
import { crateFiles, Surroundings } from '../support/hostile-crate.ts';
import { isOnPath } from '../support/on-path.ts';
import { residentBytes } from '../support/resident-bytes.ts';
import { calm, World } from '../support/world.ts';

let outside: Surroundings;
beforeAll(async () => {
  outside = await Surroundings.open();
});
afterAll(() => outside[Symbol.asyncDispose]());

const hasRust = isOnPath('rust-analyzer') && isOnPath('cargo');

describe.skipIf(!hasRust)(`rust-analyzer${hasRust ? '' : ' (no rust-analyzer or no cargo)'}`, () => {
  /** One crate for all: to start rust-analyzer takes longer than everything asked of it here. */
  let world: World;
  beforeAll(async () => {
    const files = { ...crateFiles, 'build.rs': 'fn main() {}\n' };
    world = await World.open(files, { env: outside.env, trust: 'trusted' });
  });
  afterAll(() => world?.[Symbol.asyncDispose]());

  test('its memory is counted in either mode, and a restart leaves nothing', async () => {
    const leaders: number[] = [];
    for (const mode of ['buffers', 'mounted'] as const) {
      const path = world.workspace.path(mode === 'buffers' ? 'src/lib.rs' : 'src/new.rs');
      const overlay = world.live.emptyOverlay().writeText(path, '');
      await using lease = await world.view.fork(overlay).lease(languageId('rust'), calm);
      expect(lease.setup).toMatchObject({ mode, site: { confinement: { kind: 'confined' } } });
      const { pid } = lease.server;
      if (pid === undefined) throw new Error('the server has no process');
      leaders.push(pid);
      // The programs that confine it take a few megabytes together; a loaded server takes many more.
      expect(await residentBytes(pid)).toBeGreaterThan(30_000_000);
      await world.live.servers.restart('rust-analyzer');
      expect(leaders.map((each) => isLiving({ pid: each, started: '' }))).toEqual(leaders.map(() => false));
    }
  });

  test('it builds in a directory of our cache that is private to the user, and not in the workspace', async () => {
    await using lease = await world.view.lease(languageId('rust'), calm);
    expect(lease.setup.site.confinement).toEqual({ kind: 'confined' });
    const cache = join(outside.root, 'cache/forerun/cargo-target');
    const { mode, uid } = await stat(cache);
    expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o700, uid: process.getuid?.() });
    await expect(stat(join(world.root, 'target'))).rejects.toThrow('ENOENT');
    await expect(stat(join(world.root, 'Cargo.lock'))).rejects.toThrow('ENOENT');
  });
});

const interpreter = '/usr/bin/python3';
const version = isOnPath('python3') ? await pythonVersion() : undefined;

describe.skipIf(version === undefined)(
  `pyright${version === undefined ? ` (no ${interpreter})` : ''}`,
  () => {
    test('a change to the environment of a trusted workspace runs confined while it is judged', async () => {
      const root = await realpath(await mkdtemp('/var/tmp/forerun-venv-'));
      try {
        await mkdir(join(root, '.venv/bin'), { recursive: true });
        symlinkSync(interpreter, join(root, '.venv/bin/python'));
        const files = { '.venv/pyvenv.cfg': 'home = /usr/bin\n', 'app.py': 'one: int = 1\n' };
        await using world = await World.open(files, { root, trust: 'trusted', env: outside.env });
        const session = await world.session('python');
        const packages = `.venv/lib/python${version}/site-packages`;
        await session.transform(
          async (overlay) =>
            overlay
              .writeText(
                world.workspace.path(`${packages}/evil.pth`),
                `import os; open(${JSON.stringify(join(outside.root, 'landing/pth'))}, 'w').write(os.environ.get('GITHUB_TOKEN', ''))\n`,
              )
              .writeText(world.workspace.path(`${packages}/helper.py`), 'def two() -> int: return 2\n')
              .writeText(world.workspace.path('new.py'), 'from helper import two\n\nthree: str = two()\n'),
          calm,
        );
        const evaluation = await world.evaluate(session, 'workspace');
        expect(evaluation).toMatchObject({ way: 'mounted', confinement: { kind: 'confined' } });
        // The interpreter was asked for its search path: without it the import would not be resolved.
        expect(evaluation.introduced.map(({ diagnostic }) => diagnostic.message.split('\n')[0])).toEqual([
          'Type "int" is not assignable to declared type "str"',
        ]);
        expect(outside.reached).toEqual([]);
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    });
  },
);

/** By the name of its library, which is where it looks for packages. */
async function pythonVersion(): Promise<string | undefined> {
  const link = await realpath(interpreter).catch(() => '');
  return /python(3\.\d+)$/.exec(link)?.[1];
}

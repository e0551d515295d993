/** References from the cache are the references a server would give, whatever happens to the files in between. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workspaceKey } from '../../src/storage/workspace-key.ts';
import { said, typescriptDialect } from '../support/reference-walk.ts';
import { pythonShop as python, typescriptShop as typescript } from '../support/reference-workspace.ts';
import { type ToolAnswer, ToolWorld } from '../support/tool-world.ts';

let caches = '';
beforeAll(async () => {
  caches = await realpath(await mkdtemp(join(tmpdir(), 'forerun-caches-')));
});
afterAll(async () => {
  await rm(caches, { recursive: true, force: true });
});

const places = {
  typescript: { file_path: 'lib/price.ts', position_pattern: 'function @@price' },
  python: { file_path: 'lib/price.py', position_pattern: 'def @@price' },
};

async function ask(world: ToolWorld, place = places.typescript): Promise<ToolAnswer> {
  return world.call('find_references', { ...place, file_path: world.at(place.file_path) });
}

const isCached = ({ meta }: ToolAnswer): boolean => meta.cached !== undefined;

describe('what was found out once', () => {
  test.each([
    ['TypeScript', typescript, places.typescript],
    ['Python', python, places.python],
  ] as const)('is told again, by the next process too, without a server: %s', async (_name, files, place) => {
    await using first = await ToolWorld.open(files, { cacheDirectory: caches });
    const live = await ask(first, place);
    expect(isCached(live)).toBe(false);
    const again = await ask(first, place);
    expect(again.json).toEqual(live.json);
    expect(again.meta).toMatchObject({ indexed: true, cached: { fingerprint: expect.any(String) } });
    await using next = await ToolWorld.open({}, { root: first.world.root, cacheDirectory: caches });
    const later = await ask(next, place);
    expect(later.json).toEqual(live.json);
    expect(later.meta.cached).toEqual(again.meta.cached);
    expect(next.world.live.servers.pools).toEqual([]);
  });

  test('is told again after an edit that has nothing to do with it, and not after one that has', async () => {
    await using world = await ToolWorld.open(typescript, { cacheDirectory: caches });
    await ask(world);
    await world.world.write('app/plain.ts', 'export const plain = 2;\n');
    expect(isCached(await ask(world))).toBe(true);
    await world.world.write('app/more.ts', typescriptDialect.caller('more'));
    const after = await ask(world);
    expect(isCached(after)).toBe(false);
    expect(after.text).toContain('more.ts');
    expect(isCached(await ask(world))).toBe(true);
  });

  test('is found again when the files are again as they were', async () => {
    await using world = await ToolWorld.open(typescript, { cacheDirectory: caches });
    const before = await ask(world);
    await world.world.write('app/cart.ts', 'export const total = 0;\n');
    await ask(world);
    await world.world.write('app/cart.ts', typescript['app/cart.ts']);
    const after = await ask(world);
    expect(isCached(after)).toBe(true);
    expect(after.json).toEqual(before.json);
  });

  test('is nothing to a question about unsaved text', async () => {
    await using world = await ToolWorld.open(typescript, { cacheDirectory: caches });
    await ask(world);
    const text = typescriptDialect.caller('total');
    await world.call('open_document', { file_path: world.at('app/plain.ts'), text });
    const unsaved = await ask(world);
    expect(isCached(unsaved)).toBe(false);
    expect(unsaved.text).toContain('plain.ts');
    await world.call('close_document', { file_path: world.at('app/plain.ts') });
    const saved = await ask(world);
    expect(isCached(saved)).toBe(true);
    expect(saved.text).not.toContain('plain.ts');
  });

  test('is nothing to safe_delete_symbol', async () => {
    await using world = await ToolWorld.open(
      { ...typescript, 'lib/lonely.ts': 'export function lonely(): void {}\n' },
      { cacheDirectory: caches },
    );
    const lonely = { file_path: world.at('lib/lonely.ts'), symbol_path: 'lonely' };
    await world.call('blast_radius', { changed_files: [lonely.file_path] });
    await world.world.write('app/user.ts', "import { lonely } from '../lib/lonely';\n\nlonely();\n");
    const refused = await world.call('safe_delete_symbol', lonely);
    expect(refused.isError).toBe(true);
    expect(await world.world.read('lib/lonely.ts')).toContain('lonely');
  });

  test('of an impact is told again as a whole', async () => {
    await using world = await ToolWorld.open(typescript, { cacheDirectory: caches });
    const args = { changed_files: [world.at('lib/price.ts')], include_transitive: true };
    const live = await world.call('blast_radius', args);
    const again = await world.call('blast_radius', args);
    expect(again.json).toEqual(live.json);
    expect([isCached(live), isCached(again)]).toEqual([false, true]);
  });
});

describe('where no cache can be', () => {
  test.each([
    [
      'a directory stands in the place of its file',
      (directory: string) => mkdir(join(directory, 'refs.db'), { recursive: true }),
    ],
    ['its directory is a file', (directory: string) => writeFile(directory, '')],
  ])('answers are the same: %s', async (_name, spoil) => {
    await using plain = await ToolWorld.open(typescript);
    const { root } = plain.world;
    const spoiled = await mkdtemp(join(caches, 'spoiled-'));
    await spoil(join(spoiled, workspaceKey(root)));
    await using world = await ToolWorld.open({}, { root, cacheDirectory: spoiled });
    for (let round = 0; round < 2; round++) {
      expect(said(await ask(world))).toEqual(said(await ask(plain)));
      await world.world.write(`app/more${round}.ts`, typescriptDialect.caller('more'));
    }
    const refused = await world.call('export_cache', { dest_path: 'cache.gz' });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining('reference cache is not available'),
    });
  });
});

describe('an exported cache', () => {
  const artifact = '.forerun/cache.db.gz';

  test('serves another checkout of the same contents, asked for or found there', async () => {
    await using from = await ToolWorld.open(typescript, { cacheDirectory: caches });
    const live = await ask(from);
    const exported = await from.call('export_cache', { dest_path: artifact });
    expect(exported.text).toMatch(/^Cache exported to .*cache\.db\.gz \(\d+ entries\)$/);
    const packed = await readFile(from.at(artifact));
    for (const way of ['import', 'found'] as const) {
      await using to = await ToolWorld.open(typescript, {
        cacheDirectory: await mkdtemp(join(caches, 'other-')),
      });
      await mkdir(dirname(to.at(artifact)), { recursive: true });
      await writeFile(to.at(way === 'found' ? artifact : 'packed.gz'), packed);
      if (way === 'import') {
        const imported = await to.call('import_cache', { src_path: 'packed.gz' });
        expect(imported.text).toMatch(/^Cache imported from .*packed\.gz \(\d+ entries\)$/);
      }
      // Which version of the server is installed here is learned from its first start.
      await to.call('find_references', { file_path: to.at('app/cart.ts'), position_pattern: '@@total' });
      const known = await ask(to);
      expect(isCached(known)).toBe(true);
      expect(known.text.replaceAll(to.world.root, '')).toBe(live.text.replaceAll(from.world.root, ''));
    }
  });

  test('that is damaged is refused by name, and what is known stays', async () => {
    await using world = await ToolWorld.open(typescript, { cacheDirectory: caches });
    await ask(world);
    await world.call('export_cache', { dest_path: artifact });
    const packed = await readFile(world.at(artifact));
    await writeFile(world.at('half.gz'), packed.subarray(0, packed.length / 2));
    const refused = await world.call('import_cache', { src_path: 'half.gz' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('import failed: ') });
    expect(isCached(await ask(world))).toBe(true);
  });

  test('lies inside the workspace', async () => {
    await using world = await ToolWorld.open(typescript, { cacheDirectory: caches });
    const refused = await world.call('export_cache', { dest_path: join(tmpdir(), 'elsewhere.gz') });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('outside workspace root') });
  });
});

import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addedSettings } from './added-settings.ts';
import { nativeServers } from './catalogue/native.ts';

const clangd = nativeServers.find(({ name }) => name === 'clangd');

test.skipIf(process.platform !== 'linux')(
  "the user's own settings of clangd are kept, as they are at each start",
  async () => {
    const home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-settings-')));
    try {
      const env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), XDG_CONFIG_HOME: join(home, 'own') };
      const readBack = async (): Promise<string> => {
        if (!clangd) throw new Error('clangd is not in the catalogue');
        const { XDG_CONFIG_HOME: directory = '' } = await addedSettings(clangd, { env, inherited: env });
        expect(directory.startsWith(join(home, 'cache'))).toBe(true);
        return readFile(join(directory, 'clangd', 'config.yaml'), 'utf8');
      };
      const ours = 'CompileFlags:\n  Add: [-ferror-limit=0]\n';
      expect(await readBack()).toBe(ours);
      await mkdir(join(home, 'own', 'clangd'), { recursive: true });
      await writeFile(join(home, 'own', 'clangd', 'config.yaml'), 'Index:\n  Background: Skip\n');
      expect(await readBack()).toBe(`Index:\n  Background: Skip\n\n---\n${ours}`);
    } finally {
      await rm(home, { recursive: true });
    }
  },
);

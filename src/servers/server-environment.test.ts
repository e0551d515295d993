import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiskState } from '../workspace/disk-state.ts';
import { Workspace } from '../workspace/workspace.ts';
import { serversFor } from './catalogue.ts';
import { languageId } from './language.ts';
import { serverEnvironment } from './server-environment.ts';

test('a server gets a default of the catalogue only where the user has set nothing', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'forerun-environment-')));
  try {
    const workspace = await Workspace.open(root);
    const [definition] = serversFor(languageId('typescript'));
    if (!definition) throw new Error('no server for TypeScript');
    const collectorOf = async (env: Readonly<Record<string, string>>) => {
      const request = { definition, workspace, disk: new DiskState(workspace), folders: [], env } as const;
      const { inherited, variables } = await serverEnvironment(
        { ...request, trust: 'untrusted' },
        { mode: 'buffers', confinement: 'open' },
      );
      return { ...inherited, ...variables }.GOGC;
    };
    expect(await collectorOf({})).toBe('200');
    expect(await collectorOf({ GOGC: '50' })).toBe('50');
  } finally {
    await rm(root, { recursive: true });
  }
});

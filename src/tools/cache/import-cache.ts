/** Replaces the reference cache of the workspace with the contents of an exported file. */
import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { maximumPackedBytes, UnusableArtifact } from '../../storage/cache-artifact.ts';
import { activeWorkspace } from '../active-workspace.ts';
import { word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { textResult } from '../tool-result.ts';
import { requireCache } from './cache-failure.ts';

export const importCache: Tool = defineTool({
  name: 'import_cache',
  title: 'Import Cache',
  effect: 'process',
  destructive: true,
  idempotent: true,
  description:
    'Replace the cached references of the workspace with those of a file written by export_cache. A damaged file is refused and changes nothing.',
  input: z.object({ src_path: word('The file to read, inside the workspace.') }),
  async handle(context, { src_path }, signal) {
    const view = await activeWorkspace(context, undefined, signal);
    const cache = await requireCache(view, signal);
    const { workspace } = view;
    return during('import failed', async () => {
      const file = workspace.absolute(await workspace.resolve(src_path));
      if ((await stat(file)).size > maximumPackedBytes) throw new UnusableArtifact('the file is too large');
      const size = await cache.unpack(await readFile(file), signal);
      return textResult(`Cache imported from ${file} (${size} entries)`, {
        hint: 'find_references and blast_radius use the entries that match the current files.',
      });
    });
  },
});

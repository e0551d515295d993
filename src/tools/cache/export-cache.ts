/** Writes the reference cache of the workspace to one file, for other checkouts and machines. */
import { z } from 'zod';
import { activeWorkspace } from '../active-workspace.ts';
import { EditConflict } from '../failure.ts';
import { word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { textResult } from '../tool-result.ts';
import { requireCache } from './cache-failure.ts';

export const exportCache: Tool = defineTool({
  name: 'export_cache',
  title: 'Export Cache',
  effect: 'disk',
  destructive: false,
  idempotent: true,
  description:
    'Write the cached references of the workspace to a file inside it. A checkout that contains .forerun/cache.db.gz starts with them.',
  input: z.object({
    dest_path: word('The file to write, e.g. .forerun/cache.db.gz; its directory is created if necessary.'),
  }),
  async handle(context, { dest_path }, signal) {
    const view = await activeWorkspace(context, undefined, signal);
    const cache = await requireCache(view, signal);
    const { live, workspace } = view;
    return during('export failed', async () => {
      const path = await workspace.resolve(dest_path);
      const { bytes, size } = await cache.pack(signal);
      const overlay = live.emptyOverlay().write(path, { kind: 'binary', bytes });
      const options = { durability: 'process', onConflict: 'overwrite' } as const;
      const outcome = await live.commits.commit(overlay, options, signal);
      if (outcome.kind === 'conflict') throw new EditConflict(outcome.paths);
      return textResult(`Cache exported to ${workspace.absolute(path)} (${size} entries)`, {
        hint: 'commit .forerun/cache.db.gz so that other checkouts start with it.',
      });
    });
  },
});

/** Shows what could be renamed at a position. */
import { z } from 'zod';
import { positionOn } from '../../code/query.ts';
import { renameTarget } from '../../lsp/feature/rename.ts';
import { ResponseFailed } from '../../lsp/server-failure.ts';
import { atPlace, placeInput } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const prepareRename: Tool = defineTool({
  name: 'prepare_rename',
  title: 'Prepare Rename',
  effect: 'reads',
  description:
    'The range and current name of what rename_symbol would rename at a position; null if nothing can be renamed. Positions in the answer are zero-based as in LSP.',
  input: z.object(placeInput),
  handle(context, input, signal) {
    return atPlace(context, input, signal, (query, place) =>
      during('prepare_rename', async () => {
        try {
          return jsonResult(await renameTarget(query.lease.server, positionOn(query, place), signal));
        } catch (thrown) {
          // Servers report "cannot be renamed" as an error or as an empty answer.
          if (!(thrown instanceof ResponseFailed)) throw thrown;
          return jsonResult(null, { meta: { reason: thrown.message } });
        }
      }),
    );
  },
});

/** Finds all occurrences of a symbol in one file. */

import { z } from 'zod';
import { positionOn } from '../../code/query.ts';
import { highlights } from '../../lsp/feature/highlight.ts';
import { budgetInput } from '../answer-budget.ts';
import { atPlace, placeInput } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';

export const getDocumentHighlights: Tool = defineTool({
  name: 'get_document_highlights',
  title: 'Get Document Highlights',
  effect: 'reads',
  description:
    'Every occurrence of the symbol at a position in this file: 1 text, 2 read, 3 write. Positions in the answer are zero-based as in LSP.',
  input: z.object({ ...placeInput, ...budgetInput }),
  handle(context, input, signal) {
    return atPlace(context, input, signal, (query, place) =>
      during('get_document_highlights', async () =>
        jsonResult(await highlights(query.lease.server, positionOn(query, place), signal)),
      ),
    );
  },
});

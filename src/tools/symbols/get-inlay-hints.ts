/** The inlay hints of a range: types and parameter names. */

import { z } from 'zod';
import { inlayHints } from '../../lsp/feature/inlay-hint.ts';
import { budgetInput } from '../answer-budget.ts';
import { humanRange } from '../parameter.ts';
import { fileInput } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { inStretch } from './stretch.ts';

export const getInlayHints: Tool = defineTool({
  name: 'get_inlay_hints',
  title: 'Get Inlay Hints',
  effect: 'reads',
  description: 'Inferred types and parameter names in a range. Positions in the answer are zero-based.',
  input: z.object({ ...fileInput, ...humanRange, ...budgetInput }),
  async handle(context, input, signal) {
    const hints = await inStretch(context, input, signal, (server, range) =>
      during('get_inlay_hints', () => inlayHints(server, range, signal)),
    );
    return jsonResult(hints);
  },
});

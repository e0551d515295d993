/** The type and documentation of a symbol. */

import { z } from 'zod';
import { positionOn } from '../../code/query.ts';
import { hoverText } from '../../lsp/feature/hover.ts';
import { budgetInput } from '../answer-budget.ts';
import { atPlace, placeInput } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { textResult } from '../tool-result.ts';

export const inspectSymbol: Tool = defineTool({
  name: 'inspect_symbol',
  title: 'Inspect Symbol',
  aliases: ['get_info_on_location'],
  effect: 'reads',
  description: 'Type, signature and documentation of the symbol at a position, as Markdown.',
  input: z.object({ ...placeInput, ...budgetInput }),
  async handle(context, input, signal) {
    const hover = await atPlace(context, input, signal, (query, place) =>
      during('inspect_symbol', () => hoverText(query.lease.server, positionOn(query, place), signal)),
    );
    return hover === '' ? textResult('') : textResult(hover, { hint: 'find_references shows its uses.' });
  },
});

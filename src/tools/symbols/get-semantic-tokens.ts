/** The semantic tokens of a range. */

import { z } from 'zod';
import { type SemanticToken, semanticTokens } from '../../lsp/feature/semantic-token.ts';
import { budgetInput } from '../answer-budget.ts';
import { humanRange, toHuman } from '../parameter.ts';
import { fileInput } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult, textResult } from '../tool-result.ts';
import { inStretch } from './stretch.ts';

export const getSemanticTokens: Tool = defineTool({
  name: 'get_semantic_tokens',
  title: 'Get Semantic Tokens',
  effect: 'reads',
  description:
    'The words of a range with their kinds: class, parameter, property and so on. Lines and columns start at 1.',
  input: z.object({ ...fileInput, ...humanRange, ...budgetInput }),
  async handle(context, input, signal) {
    return inStretch(context, input, signal, async (server, range) => {
      const tokens = await during('get_semantic_tokens', () => semanticTokens(server, range, signal));
      if (tokens.length > 0) return jsonResult(tokens.map(wireToken));
      const isOffered = server.capabilities.has('semanticTokensProvider');
      const why = isOffered ? 'in this range' : 'because the language server offers none';
      return textResult(`No semantic tokens found ${why}.`);
    });
  },
});

function wireToken({
  line,
  character,
  length,
  type,
  modifiers,
}: SemanticToken): Readonly<Record<string, unknown>> {
  const place = toHuman({ line, character });
  return { line: place.line, character: place.column, length, tokenType: type, modifiers };
}

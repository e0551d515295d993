/**
 * What a server takes each word of a text for.
 *
 * Invariant: the tokens are of the asked stretch alone, whichever way the server gives them.
 */

import { encodeColumns, rangeDecoder } from '../lsp/columns.ts';
import {
  readSemanticTokens,
  readTokenOffer,
  type SemanticToken,
  type TokenOffer,
} from '../lsp/feature/semantic-token.ts';
import type { LanguageServer } from '../lsp/language-server.ts';
import { comparePositions } from '../text/position.ts';
import type { Range } from '../text/range.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Query } from './query.ts';

/** Empty where the server offers no tokens. */
export async function semanticTokens(
  { lease }: Query,
  { path, range }: { readonly path: WorkspacePath; readonly range: Range },
  signal: AbortSignal,
): Promise<readonly SemanticToken[]> {
  const { server } = lease;
  const offer = offerOf(server);
  if (!offer || !(offer.isRanged || offer.isFull)) return [];
  const uri = lease.uri(path);
  const document = { textDocument: { uri } };
  const answer = offer.isRanged
    ? await server.request(
        'textDocument/semanticTokens/range',
        { ...document, range: encodeColumns(server, uri, range) },
        {},
        signal,
      )
    : await server.request('textDocument/semanticTokens/full', document, {}, signal);
  const decode = rangeDecoder(server, uri);
  return readSemanticTokens(answer, offer.legend)
    .map((token) => inOurColumns(token, decode))
    .filter((token) => overlaps(token, range));
}

function offerOf({ capabilities }: LanguageServer): TokenOffer | undefined {
  const registered = capabilities.registrations('textDocument/semanticTokens').at(-1)?.options;
  return readTokenOffer(registered) ?? readTokenOffer(capabilities.raw.semanticTokensProvider);
}

function inOurColumns(token: SemanticToken, decode: (range: Range) => Range): SemanticToken {
  const { start, end } = decode(extentOf(token));
  return { ...token, character: start.character, length: end.character - start.character };
}

function overlaps(token: SemanticToken, range: Range): boolean {
  const { start, end } = extentOf(token);
  return comparePositions(start, range.end) < 0 && comparePositions(end, range.start) > 0;
}

function extentOf({ line, character, length }: SemanticToken): Range {
  return { start: { line, character }, end: { line, character: character + length } };
}

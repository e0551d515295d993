/**
 * Searches symbols by name in all running servers.
 *
 * Invariant: each symbol comes with its workspace, so that its server can be asked about it.
 */
import { settledAnswer } from '../../code/readiness.ts';
import { type WorkspaceSymbol, workspaceSymbols } from '../../code/symbol.ts';
import { bareName } from '../../code/symbol-name.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { proofOf, refuseEarlyNone } from '../answer-proof.ts';
import { onEveryServer, type ServerFilter } from '../every-server.ts';
import type { ToolContext } from '../tool-context.ts';

export interface FoundSymbol {
  readonly symbol: WorkspaceSymbol;
  readonly view: WorkspaceView;
}

export interface SymbolSearch {
  /** Exact matches first, otherwise in the order of the servers. */
  readonly found: readonly FoundSymbol[];
  readonly meta: {
    readonly indexed: boolean;
    readonly server: string;
    readonly failures?: readonly string[];
    /** Present if a server excluded files because of its scope. */
    readonly incomplete?: { readonly files_left_out: number; readonly why: string };
  };
}

export async function searchSymbols(
  context: ToolContext,
  { name, ...filter }: ServerFilter & { readonly name: string },
  signal: AbortSignal,
): Promise<SymbolSearch> {
  const { answers, failures } = await onEveryServer(context, filter, signal, async (query, view) => {
    const ask = (): Promise<readonly WorkspaceSymbol[]> => workspaceSymbols(query, name, signal);
    const options = { timeoutMs: view.live.servers.readyTimeoutMs, ask };
    const { answer, readiness } = await settledAnswer(query, options, signal);
    const refuse = (): void =>
      refuseEarlyNone('symbols', {
        found: answer.length,
        query,
        readiness,
        provider: 'workspaceSymbolProvider',
      });
    return {
      found: answer.map((symbol) => ({ symbol, view })),
      proof: proofOf(query, { readiness, paths: [] }),
      leftOut: query.lease.leftOut,
      refuse,
    };
  });
  const found = answers.flatMap((answer) => answer.found);
  if (found.length === 0) for (const answer of answers) answer.refuse();
  const leftOut = answers.reduce((sum, answer) => sum + answer.leftOut, 0);
  const rank = ({ symbol }: FoundSymbol): number => (bareName(symbol.name) === name ? 0 : 1);
  return {
    found: found.toSorted((a, b) => rank(a) - rank(b)),
    meta: {
      indexed: answers.every(({ proof }) => proof.indexed),
      server: answers.map(({ proof }) => proof.server).join(', '),
      ...(failures.length > 0 && { failures }),
      ...(leftOut > 0 && {
        incomplete: { files_left_out: leftOut, why: 'outside the scope given to start_lsp' },
      }),
    },
  };
}

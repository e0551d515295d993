/** Deletes an unused symbol. */
import { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import { type CodeLocation, mentions } from '../../code/location.ts';
import { settledAnswer } from '../../code/readiness.ts';
import type { CodeSymbol } from '../../code/symbol.ts';
import { withoutSymbol } from '../../code/symbol-extent.ts';
import { comparePositions, LineIndex } from '../../text/position.ts';
import { StillIndexing } from '../answer-proof.ts';
import { defineTool, type Tool } from '../tool.ts';
import { editAtSymbol, type FoundSymbols, symbolInput } from './symbol-edit.ts';

export const safeDeleteSymbol: Tool = defineTool({
  name: 'safe_delete_symbol',
  title: 'Safe Delete Symbol',
  effect: 'disk',
  description:
    'Delete a symbol given by its path, with its comments and decorators, if nothing in the workspace refers to it. If it is used, or that is not known yet, nothing changes and the answer says so.',
  input: z.object(symbolInput),
  handle(context, input, signal) {
    return editAtSymbol(
      context,
      {
        input,
        async edit(found) {
          const [symbol] = found.symbols;
          await proveUnused(found, symbol, signal);
          return withoutSymbol(new LineIndex(found.file.text), symbol, found.syntax);
        },
        sentence: (path) => `Deleted symbol "${input.symbol_path}" from ${path}`,
        advice: 'fix the remaining errors, or call undo_last_commit.',
      },
      signal,
    );
  },
});

/** Always asks the server, never the cache. If the server cannot be sure, the symbol counts as used. */
async function proveUnused(
  { query, view, file }: FoundSymbols,
  symbol: CodeSymbol,
  signal: AbortSignal,
): Promise<void> {
  if (!query.lease.server.capabilities.has('referencesProvider')) {
    throw new UsesUnknown('the language server does not support references');
  }
  const place = { path: file.path, position: symbol.selectionRange.start };
  const ask = () => mentions(query, place, {}, signal);
  const options = { timeoutMs: view.live.servers.readyTimeoutMs, ask };
  const { answer, readiness } = await settledAnswer(query, options, signal);
  const uses = answer.filter(({ path, range }) => path !== file.path || !isInside(range.start, symbol));
  if (uses.length > 0) throw new SymbolInUse(uses.length);
  if (readiness.kind === 'busy') throw new StillIndexing('references', query.lease.server.id, readiness);
  const { coverage } = query.dependents;
  if (!coverage.complete) {
    throw new UsesUnknown(coverage.why ?? `${coverage.leftOut} file(s) that may use it were not searched`);
  }
}

/** A recursive function is not in use because of its own calls. */
function isInside(position: CodeLocation['range']['start'], { range }: CodeSymbol): boolean {
  return comparePositions(range.start, position) <= 0 && comparePositions(position, range.end) <= 0;
}

class SymbolInUse extends Failure {
  readonly code = 'tools/symbol-in-use';
  readonly remedy = 'Change or delete the uses first; nothing was written.';

  constructor(count: number) {
    super(`symbol has ${count} references; cannot safely delete. Use find_references to see them.`);
  }
}

class UsesUnknown extends Failure {
  readonly code = 'tools/uses-unknown';
  readonly remedy =
    'Search for the name, then delete with apply_edit, which does not check. Nothing was written.';

  constructor(why: string) {
    super(`it is not known whether the symbol is used: ${why}; cannot safely delete`);
  }
}

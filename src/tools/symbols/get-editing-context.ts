/** The context for editing a file. */

import { z } from 'zod';
import type { NamedPlace } from '../../code/caller.ts';
import { type ContextSymbol, editingContext } from '../../code/editing-context.ts';
import { importsIn } from '../../code/import-list.ts';
import { shownText } from '../../code/query.ts';
import { settledAnswer } from '../../code/readiness.ts';
import { isTestFile } from '../../code/test-file.ts';
import { callDirections } from '../../lsp/feature/call-hierarchy.ts';
import { budgetInput } from '../answer-budget.ts';
import { proofOf } from '../answer-proof.ts';
import { ifNoneMatch } from '../etag.ts';
import { fileInput, inFile } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { jsonResult } from '../tool-result.ts';
import { symbolReference } from './symbol-reference.ts';
import { taggedAnswer } from './tagged-answer.ts';

export const getEditingContext: Tool = defineTool({
  name: 'get_editing_context',
  title: 'Get Editing Context',
  effect: 'reads',
  description:
    'Before editing a file: its symbols with signatures, their callers (tests listed separately), their callees, and the imports of the file.',
  input: z.object({ ...fileInput, if_none_match: ifNoneMatch, ...budgetInput }),
  async handle(context, input, signal) {
    const request = { tool: 'get_editing_context', input, restsOn: 'workspace' } as const;
    return taggedAnswer(context, request, signal, ({ etag }) =>
      inFile(context, input, signal, async (query, path, { live, workspace }) => {
        const language = live.languageFor(path);
        const ask = () => editingContext(query, { path, language }, signal);
        const { answer: symbols, readiness } = await during('get_editing_context', () =>
          settledAnswer(query, { timeoutMs: live.servers.readyTimeoutMs, ask }, signal),
        );
        const proof = proofOf(query, { readiness, paths: [path] });
        const payload = {
          file: workspace.absolute(path),
          language,
          symbols: symbols.map(wireSymbol),
          callers: callersByName(symbols),
          callees: calleesByName(symbols),
          imports: importsIn(language, path, shownText(query, path) ?? ''),
          // A server that is still indexing will answer more later, although no file has changed; so no etag is
          // given.
          ...(proof.indexed && { etag }),
        };
        const cannotTell = symbols.some(({ callees }) => callees === undefined);
        return jsonResult(payload, {
          meta: { ...proof, ...(cannotTell && { unsupported: callDirections.outgoing }) },
        });
      }),
    );
  },
});

function wireSymbol({ name, kind, signature, startLine, endLine }: ContextSymbol): unknown {
  return {
    name,
    kind,
    ...(signature !== '' && { signature }),
    start_line: startLine + 1,
    end_line: endLine + 1,
  };
}

function callersByName(symbols: readonly ContextSymbol[]): Readonly<Record<string, unknown>> {
  const isTest = ({ path }: NamedPlace): boolean => path !== undefined && isTestFile(path);
  const found = placesByName(symbols, ({ callers }) => callers).map(([name, callers]) => [
    name,
    {
      test_callers: callers.filter(isTest).map(symbolReference),
      non_test_callers: callers.filter((caller) => !isTest(caller)).map(symbolReference),
    },
  ]);
  return Object.fromEntries(found);
}

function calleesByName(symbols: readonly ContextSymbol[]): Readonly<Record<string, unknown>> {
  const found = placesByName(symbols, ({ callees }) => callees ?? []);
  return Object.fromEntries(found.map(([name, callees]) => [name, callees.map(symbolReference)]));
}

/** Only symbols with entries; overloads of one name are merged. */
function placesByName(
  symbols: readonly ContextSymbol[],
  of: (symbol: ContextSymbol) => readonly NamedPlace[],
): readonly (readonly [string, readonly NamedPlace[]])[] {
  const places = new Map<string, readonly NamedPlace[]>();
  for (const symbol of symbols) {
    const found = of(symbol);
    if (found.length > 0) places.set(symbol.name, [...(places.get(symbol.name) ?? []), ...found]);
  }
  return [...places];
}

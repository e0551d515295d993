/** Finds the callers and callees of a function. */
import { z } from 'zod';
import { concurrencyEntry } from '../../code/concurrency-entry.ts';
import { type Call, callItems, incomingCalls, outgoingCalls } from '../../code/hierarchy.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { callDirections } from '../../lsp/feature/call-hierarchy.ts';
import { budgetInput } from '../answer-budget.ts';
import { fileOf } from '../formatted-location.ts';
import { flag } from '../parameter.ts';
import { placeInput } from '../read-file-tool.ts';
import { defineTool, type Tool } from '../tool.ts';
import { atHierarchy, type Hierarchy, relativesOf, unsupportedIn } from './at-hierarchy.ts';
import { wireCall, wireItem } from './wire-hierarchy.ts';

export const findCallers: Tool = defineTool({
  name: 'find_callers',
  title: 'Find Callers',
  aliases: ['call_hierarchy'],
  listedAliases: [{ name: 'callers', title: 'Callers', fixed: { direction: 'incoming' } }],
  effect: 'reads',
  description:
    'Functions that call the one at a position, and functions it calls. Positions in the answer are zero-based as in LSP.',
  input: z.object({
    ...placeInput,
    direction: z
      .enum(['incoming', 'outgoing', 'both'])
      .describe('incoming: its callers. outgoing: its callees. both (default).')
      .optional(),
    cross_concurrent: flag(
      'Also mark callers that call it from a new thread, task or timer; default: false.',
    ).optional(),
    ...budgetInput,
  }),
  handle(context, input, signal) {
    const { direction = 'both' } = input;
    return atHierarchy(context, input, callHierarchy, signal, async (query, items, view) => {
      const calls = (of: typeof incomingCalls) => relativesOf(items, (item) => of(query, item, signal));
      const incoming = direction === 'outgoing' ? [] : await calls(incomingCalls);
      const outgoing = direction === 'incoming' ? [] : await calls(outgoingCalls);
      const concurrent = input.cross_concurrent ? await concurrentCallers(view, incoming ?? []) : [];
      const unsupported = unsupportedIn({
        [callDirections.incoming]: incoming,
        [callDirections.outgoing]: outgoing,
      });
      const payload = {
        items: items.map(wireItem),
        ...(direction !== 'outgoing' && { incoming: (incoming ?? []).map(wireCall('from')) }),
        ...(direction !== 'incoming' && { outgoing: (outgoing ?? []).map(wireCall('to')) }),
        ...(input.cross_concurrent && { concurrent_callers: concurrent }),
      };
      return { payload, meta: unsupported, hint: hintFor(concurrent.length) };
    });
  },
});

const callHierarchy: Hierarchy = {
  tool: 'find_callers',
  what: 'call',
  provider: 'callHierarchyProvider',
  itemsAt: callItems,
};

function hintFor(concurrent: number): string {
  const next = 'blast_radius shows what a change here reaches.';
  if (concurrent === 0) return next;
  return `${concurrent} concurrent caller${concurrent === 1 ? '' : 's'} found: check what they share. Then ${next}`;
}

/** The calls made where a new thread, task or timer starts, one entry per call site. */
async function concurrentCallers(
  { overlay }: WorkspaceView,
  calls: readonly Call[],
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const found: Readonly<Record<string, unknown>>[] = [];
  for (const { item, fromRanges } of calls) {
    const content = item.path === undefined ? undefined : await overlay.read(item.path);
    if (content?.kind !== 'text') continue;
    const lines = content.text.split(/\r\n|\n|\r/);
    for (const { start } of fromRanges) {
      const pattern = concurrencyEntry(lines, start.line);
      if (pattern === undefined) continue;
      found.push({ caller: wireItem(item), pattern, file: fileOf(item.uri), line: start.line + 1 });
    }
  }
  return found;
}

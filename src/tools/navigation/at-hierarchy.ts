/**
 * The common part of call and type hierarchy: first the items at a position, then their relatives.
 *
 * Invariant: if there is no item at the position, the answer is a sentence, not an error.
 */
import type { HierarchyItem } from '../../code/hierarchy.ts';
import type { Place, Query } from '../../code/query.ts';
import { settledAnswer } from '../../code/readiness.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { proofOf, refuseEarlyNone } from '../answer-proof.ts';
import { toHuman } from '../parameter.ts';
import type { PositionInput } from '../position-input.ts';
import { atPlace, type FileInput, type ReadyQuery } from '../read-file-tool.ts';
import { during } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult, type ToolResult, textResult } from '../tool-result.ts';

export interface Hierarchy {
  readonly tool: string;
  readonly what: 'call' | 'type';
  readonly provider: string;
  itemsAt(query: Query, place: Place, signal: AbortSignal): Promise<readonly HierarchyItem[]>;
}

interface Relatives {
  readonly payload: unknown;
  readonly hint?: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** The part of the answer about directions that the server does not support. */
export function unsupportedIn(
  directions: Readonly<Record<string, readonly unknown[] | undefined>>,
): Readonly<Record<string, string>> {
  const unknown = Object.keys(directions).filter((method) => directions[method] === undefined);
  return unknown.length > 0 ? { unsupported: unknown.join(', ') } : {};
}

/** The relatives of all items; undefined if the server does not support the direction. */
export async function relativesOf<T>(
  items: readonly HierarchyItem[],
  of: (item: HierarchyItem) => Promise<readonly T[] | undefined>,
): Promise<readonly T[] | undefined> {
  const relatives = await Promise.all(items.map(of));
  return relatives.includes(undefined) ? undefined : relatives.flatMap((found) => found ?? []);
}

export function atHierarchy(
  context: ToolContext,
  input: FileInput & PositionInput,
  { tool, what, provider, itemsAt }: Hierarchy,
  signal: AbortSignal,
  work: (query: ReadyQuery, items: readonly HierarchyItem[], view: WorkspaceView) => Promise<Relatives>,
): Promise<ToolResult> {
  return atPlace(context, input, signal, (query, place, view) =>
    during(tool, async () => {
      const options = {
        timeoutMs: view.live.servers.readyTimeoutMs,
        ask: () => itemsAt(query, place, signal),
      };
      const { answer: items, readiness } = await settledAnswer(query, options, signal);
      refuseEarlyNone(`${what} hierarchy`, { found: items.length, query, readiness, provider });
      const proof = () => proofOf(query, { readiness, paths: [place.path], provider });
      if (items.length === 0) {
        const { line, column } = toHuman(place.position);
        const sentence = `No ${what} hierarchy item found at ${input.file_path}:${line}:${column}`;
        return textResult(sentence, { meta: proof() });
      }
      const { payload, hint, meta } = await work(query, items, view);
      return jsonResult(payload, { ...(hint !== undefined && { hint }), meta: { ...proof(), ...meta } });
    }),
  );
}

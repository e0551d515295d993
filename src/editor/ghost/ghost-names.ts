/** What the language server offers at the caret, as ghosts and as names for a prompt. */
import { z } from 'zod';
import type { ToolResult } from '../../tools/tool-result.ts';

const item = z.object({
  label: z.string(),
  detail: z.string().optional(),
  preselect: z.boolean().optional(),
});

export type OfferedName = z.infer<typeof item>;

/** The items of a `get_completions` answer, best first. */
export function completionItems(result: ToolResult): readonly OfferedName[] {
  if (result.isError || result.payload.kind !== 'json') return [];
  return z
    .object({ items: z.array(item) })
    .catch({ items: [] })
    .parse(result.payload.value).items;
}

/** The rest of the one name that continues what was begun; undefined where nothing or too little was begun. */
export function serverGhost(items: readonly OfferedName[], before: string): string | undefined {
  const begun = /[\p{L}\p{N}_$]*$/u.exec(before)?.[0] ?? '';
  const isMember = begun === '' && before.endsWith('.');
  if (begun.length < 2 && !isMember) return undefined;
  const fitting = items.filter(
    ({ label }) => label.startsWith(begun) && label !== begun && /^[\p{L}\p{N}_$]+$/u.test(label),
  );
  const chosen = fitting.find(({ preselect }) => preselect === true) ?? (isMember ? undefined : fitting[0]);
  return chosen?.label.slice(begun.length);
}

const mostKnown = 40;

/** Names in scope, with their types where the server tells them. */
export function knownNames(items: readonly OfferedName[]): readonly string[] {
  return items
    .slice(0, mostKnown)
    .map(({ label, detail }) => (detail === undefined ? label : `${label}: ${detail}`));
}

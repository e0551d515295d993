/**
 * Code actions, among which a server may mix bare commands.
 *
 * Invariant: whatever comes out has a title, and a command is always an object of its own.
 */
import { isRecord, itemsOf } from '../internal/json.ts';

/** An action as the protocol writes it; `command`, where present, is `{title, command, arguments?}`. */
export type CodeAction = Readonly<Record<string, unknown>> & { readonly title: string };

export function readCodeActions(answer: unknown): readonly CodeAction[] {
  return itemsOf(answer).flatMap((item) => {
    if (!isRecord(item) || typeof item.title !== 'string') return [];
    const { title } = item;
    return [typeof item.command === 'string' ? { title, command: { ...item } } : { ...item, title }];
  });
}

/**
 * The code actions a server offers for a range; it may mix bare commands with them.
 *
 * Invariant: every returned action has a title, and its command is always an object.
 */
import type { CodeActionParams, CodeAction as ProtocolAction } from 'vscode-languageserver-protocol';
import { isRecord, itemsOf } from '../../base/record.ts';
import { comparePositions, type Range } from '../../text/position.ts';
import { type Diagnostic, protocolDiagnostic } from '../diagnostic.ts';
import { encodeColumns } from '../document.ts';
import type { DocumentRange } from '../document-position.ts';
import type { LanguageServer } from '../language-server.ts';
import { offers, request } from './internal/request.ts';

/** An action in the form of the protocol; `command`, if present, is `{title, command, arguments?}`. */
export type CodeAction = Readonly<Record<string, unknown>> & { readonly title: string };

export interface CodeActionRequest extends DocumentRange {
  /** The diagnostics of the document; those that touch the range are sent to the server. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function codeActions(
  server: LanguageServer,
  { uri, range, diagnostics }: CodeActionRequest,
  signal: AbortSignal,
): Promise<readonly CodeAction[]> {
  const touching = diagnostics.filter((diagnostic) => touches(diagnostic.range, range));
  const params = {
    textDocument: { uri },
    range: encodeColumns(server, uri, range),
    context: {
      diagnostics: touching.map((diagnostic) => ({
        ...protocolDiagnostic(diagnostic),
        range: encodeColumns(server, uri, diagnostic.range),
      })),
      triggerKind: invoked,
    },
  };
  return readCodeActions(
    await request(server, 'textDocument/codeAction', params as CodeActionParams, signal),
  );
}

const invoked = 1;

/** Whether the server supports `codeAction/resolve`. */
export function resolvesCodeActions(server: LanguageServer): boolean {
  return offers(server, {
    provider: 'codeActionProvider',
    method: 'textDocument/codeAction',
    option: 'resolveProvider',
  });
}

/** The action with its edit, resolved by the server. */
export async function resolvedCodeAction(
  server: LanguageServer,
  action: CodeAction,
  signal: AbortSignal,
): Promise<CodeAction> {
  const answer = await request(server, 'codeAction/resolve', action as ProtocolAction, signal);
  return readCodeActions([answer])[0] ?? action;
}

/** Whether two ranges share a position; an empty range touches its neighbours. */
function touches(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.end) <= 0 && comparePositions(b.start, a.end) <= 0;
}

export function readCodeActions(answer: unknown): readonly CodeAction[] {
  return itemsOf(answer).flatMap((item) => {
    if (!isRecord(item) || typeof item.title !== 'string') return [];
    const { title } = item;
    return [typeof item.command === 'string' ? { title, command: { ...item } } : { ...item, title }];
  });
}

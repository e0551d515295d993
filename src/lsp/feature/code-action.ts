/**
 * What a server offers to do about a range: code actions, among which it may mix bare commands.
 *
 * Invariant: whatever comes out has a title, and a command is always an object of its own.
 */
import type { CodeActionParams, CodeAction as ProtocolAction } from 'vscode-languageserver-protocol';
import { isRecord } from '../../base/record.ts';
import { comparePositions } from '../../text/position.ts';
import type { Range } from '../../text/range.ts';
import { encodeColumns } from '../columns.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { DocumentRange } from '../document-position.ts';
import { itemsOf } from '../internal/json.ts';
import type { LanguageServer } from '../language-server.ts';
import { protocolDiagnostic } from '../protocol-diagnostic.ts';
import { offers, request } from './internal/request.ts';

/** An action as the protocol writes it; `command`, where present, is `{title, command, arguments?}`. */
export type CodeAction = Readonly<Record<string, unknown>> & { readonly title: string };

export interface CodeActionRequest extends DocumentRange {
  /** The diagnostics of the document; the server is asked to fix those that touch the range. */
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

/** Whether the server fills in the edits of its actions when it is asked for them one by one. */
export function resolvesCodeActions(server: LanguageServer): boolean {
  return offers(server, {
    provider: 'codeActionProvider',
    method: 'textDocument/codeAction',
    option: 'resolveProvider',
  });
}

/** The action with its edit filled in by the server. */
export async function resolvedCodeAction(
  server: LanguageServer,
  action: CodeAction,
  signal: AbortSignal,
): Promise<CodeAction> {
  const answer = await request(server, 'codeAction/resolve', action as ProtocolAction, signal);
  return readCodeActions([answer])[0] ?? action;
}

/** Ranges that share a position; an empty one touches what it stands beside. */
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

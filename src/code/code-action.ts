/**
 * What a server offers to do about a stretch of text.
 *
 * Invariant: an action that can say what it changes says it: those the server would fill in later are filled
 * in before they are answered.
 */
import { Failure } from '../base/failure.ts';
import { encodeColumns } from '../lsp/columns.ts';
import type { Diagnostic } from '../lsp/diagnostic.ts';
import { type CodeAction, readCodeActions } from '../lsp/feature/code-action.ts';
import type { LanguageServer } from '../lsp/language-server.ts';
import { protocolDiagnostic } from '../lsp/protocol-diagnostic.ts';
import { comparePositions } from '../text/position.ts';
import type { Range } from '../text/range.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Query } from './query.ts';

export interface CodeActionRequest {
  readonly path: WorkspacePath;
  readonly range: Range;
  /** The diagnostics of the file; those that touch the range are what the server is asked to mend. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function codeActions(
  { lease }: Query,
  { path, range, diagnostics }: CodeActionRequest,
  signal: AbortSignal,
): Promise<readonly CodeAction[]> {
  const { server } = lease;
  if (!server.capabilities.has('codeActionProvider')) return [];
  // What a missing name could be imported from may lie anywhere.
  await lease.include('everything');
  const uri = lease.uri(path);
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
  const actions = readCodeActions(await server.request('textDocument/codeAction', params, {}, signal));
  if (!resolves(server)) return actions;
  return mapConcurrently(actions, resolvedAtOnce, (action) => filledIn(server, action, signal));
}

const invoked = 1;
const resolvedAtOnce = 8;

/** An action the server cannot fill in is still an offer; only a caller who gave up ends the call. */
async function filledIn(
  server: LanguageServer,
  action: CodeAction,
  signal: AbortSignal,
): Promise<CodeAction> {
  if (action.edit !== undefined || action.command !== undefined || action.disabled !== undefined)
    return action;
  try {
    const [resolved] = readCodeActions([await server.request('codeAction/resolve', action, {}, signal)]);
    return resolved ?? action;
  } catch (thrown) {
    if (signal.aborted || !server.isRunning || !(thrown instanceof Failure)) throw thrown;
    return action;
  }
}

function resolves({ capabilities }: LanguageServer): boolean {
  const offers = [
    capabilities.raw.codeActionProvider,
    ...capabilities.registrations('textDocument/codeAction').map(({ options }) => options),
  ];
  return offers.some(
    (offer) => typeof offer === 'object' && offer !== null && Reflect.get(offer, 'resolveProvider') === true,
  );
}

/** Ranges that share a place; one that is empty touches what it stands beside. */
function touches(a: Range, b: Range): boolean {
  return comparePositions(a.start, b.end) <= 0 && comparePositions(b.start, a.end) <= 0;
}

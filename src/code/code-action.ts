/**
 * The code actions of a range.
 *
 * Invariant: actions that the server resolves lazily are resolved before they are returned.
 */
import { Failure } from '../base/failure.ts';
import type { Diagnostic } from '../lsp/diagnostic.ts';
import {
  type CodeAction,
  codeActions,
  resolvedCodeAction,
  resolvesCodeActions,
} from '../lsp/feature/code-action.ts';
import type { LanguageServer } from '../lsp/language-server.ts';
import type { Range } from '../text/position.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { Query } from './query.ts';

export interface FixRequest {
  readonly path: WorkspacePath;
  readonly range: Range;
  /** The diagnostics of the file; the server is asked to fix those that touch the range. */
  readonly diagnostics: readonly Diagnostic[];
}

export async function filledCodeActions(
  { lease }: Query,
  { path, ...request }: FixRequest,
  signal: AbortSignal,
): Promise<readonly CodeAction[]> {
  const { server } = lease;
  if (!server.capabilities.has('codeActionProvider')) return [];
  // A missing name could be imported from any file.
  await lease.include('everything');
  const actions = await codeActions(server, { uri: lease.uri(path), ...request }, signal);
  if (!resolvesCodeActions(server)) return actions;
  return mapConcurrently(actions, resolvedAtOnce, (action) => filledIn(server, action, signal));
}

const resolvedAtOnce = 8;

/** An action that the server cannot resolve is still returned; only an abort of the caller ends the call. */
async function filledIn(
  server: LanguageServer,
  action: CodeAction,
  signal: AbortSignal,
): Promise<CodeAction> {
  if (action.edit !== undefined || action.command !== undefined || action.disabled !== undefined)
    return action;
  try {
    return await resolvedCodeAction(server, action, signal);
  } catch (thrown) {
    if (signal.aborted || !server.isRunning || !(thrown instanceof Failure)) throw thrown;
    return action;
  }
}

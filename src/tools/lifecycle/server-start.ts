/**
 * Starts the servers of a workspace.
 *
 * Invariant: a server that fails to start never prevents others from starting; both are reported.
 */

import { Failure, messageOf } from '../../base/failure.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { type LanguageId, languageId } from '../../servers/language.ts';
import { detectWorkspace } from '../../servers/server-detection.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { StepFailed } from '../failure.ts';
import type { ToolContext } from '../tool-context.ts';
import { searchPlaces } from '../trusted-workspace.ts';

export interface StartReport {
  readonly started: readonly string[];
  readonly failed: readonly { readonly name: string; readonly failure: Failure }[];
}

export interface StartRequest {
  /** Absent: every language of the workspace for which a server is installed. */
  readonly language?: LanguageId | undefined;
  readonly connect?: { readonly host: string; readonly port: number } | undefined;
  readonly readyTimeoutMs?: number | undefined;
  /** The paths to load first; absent: the files being worked on. */
  readonly scope?: readonly WorkspacePath[] | undefined;
}

class NothingToStart extends Failure {
  readonly code = 'tools/nothing-to-start';
  readonly remedy = 'Set language_id, or call detect_lsp_servers to see what is missing.';

  constructor(root: string) {
    super(`no language of ${root} has an installed server`);
  }
}

export async function startServers(
  context: ToolContext,
  request: StartRequest & { readonly view: WorkspaceView },
  signal: AbortSignal,
): Promise<StartReport> {
  const started: string[] = [];
  const failed: { name: string; failure: Failure }[] = [];
  const { view, connect, readyTimeoutMs, scope } = request;
  const languages = await languagesOf(context, request, signal);
  for (const [index, language] of languages.entries()) {
    context.connection.progress(`starting the ${language} server`, index / languages.length);
    try {
      const options = {
        ...(connect && { connect: { kind: 'tcp', ...connect } as const }),
        ...(readyTimeoutMs !== undefined && { readyTimeoutMs }),
        ...(scope !== undefined && { scope }),
      };
      const { definition } = await view.live.servers.start(language, options, signal);
      started.push(definition.name);
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      failed.push({ name: language, failure: thrown });
    }
  }
  return { started, failed };
}

/** Throws the first failure if no server started. */
export function requireStarted(step: string, report: StartReport): void {
  const first = report.failed[0];
  if (report.started.length === 0 && first) throw new StepFailed(step, first.failure);
}

export function failuresOf(report: StartReport): string {
  return report.failed.map(({ name, failure }) => `${name}: ${messageOf(failure)}`).join('; ');
}

/**
 * The requested language, else the languages the user configured servers for, else those of the workspace with an
 * installed server.
 */
async function languagesOf(
  context: ToolContext,
  { view, language }: StartRequest & { readonly view: WorkspaceView },
  signal: AbortSignal,
): Promise<readonly LanguageId[]> {
  if (language !== undefined) return [language];
  const named = context.workspaces.register.languages;
  if (named.length > 0) return named;
  const detected = await detectWorkspace(searchPlaces(context, view), signal);
  const installed = new Set(detected.installed_servers.map((server) => server.language));
  const languages = detected.workspace_languages.filter((each) => installed.has(each));
  if (languages.length === 0) throw new NothingToStart(view.workspace.root);
  return languages.map(languageId);
}

/** Assesses the risk of uncommitted or committed changes. */

import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { languageOf } from '../../servers/language.ts';
import { budgetInput } from '../answer-budget.ts';
import { InvalidArgument } from '../failure.ts';
import { word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult, type ToolResult } from '../tool-result.ts';
import { type ChangeScope, changedFiles } from './changed-file.ts';
import { type AffectedSymbol, impactPayload } from './impact-payload.ts';
import { cachedMeta, measureImpact } from './impact-run.ts';

export const detectChanges: Tool = defineTool({
  name: 'detect_changes',
  title: 'Detect Changes',
  effect: 'reads',
  description:
    'The files changed according to git, their symbols, the uses of these and the risk: high if code in another directory uses them.',
  input: z.object({
    workspace_root: word('Absolute path of the workspace; default: the active one.').optional(),
    scope: word('unstaged (default, with untracked files), staged or committed.').optional(),
    range: word('For committed: A..B, or one revision; default: HEAD~1..HEAD.').optional(),
    ...budgetInput,
  }),
  async handle(context, input, signal) {
    const scope = readScope(input.scope ?? 'unstaged');
    const { workspace } = await openRoot(context, input.workspace_root, signal);
    const changed = await changedFiles(
      workspace.root,
      { scope, range: input.range, env: context.workspaces.user.env },
      signal,
    );
    if (changed.length === 0) return nothing('No changed files detected.');
    const files = changed.filter(isSource).map((path) => join(workspace.root, path));
    if (files.length === 0) return nothing('No recognized source files among changed files.');
    const measured = await measureImpact(context, { files, scope: 'exported', reach: 'direct' }, signal);
    const payload = impactPayload(measured, { reach: 'direct' });
    const risks = payload.affected_symbols.map(riskOf);
    const withRisk = <T>(symbol: T, at: number): T & { readonly risk: Risk } => ({
      ...symbol,
      risk: risks[at] ?? 'low',
    });
    const answer = {
      ...payload,
      changed_symbols: payload.changed_symbols.map(withRisk),
      affected_symbols: payload.affected_symbols.map(withRisk),
      changed_files: files,
      scope,
    };
    const high = risks.filter((risk) => risk === 'high').length;
    if (risks.length === 0) return jsonResult(answer, cachedMeta(measured));
    const hint = `review the ${high} high-risk symbol(s) before you commit.`;
    return jsonResult(answer, { hint, ...cachedMeta(measured) });
  },
});

type Risk = 'high' | 'medium' | 'low';

export function riskOf({ file, non_test_callers }: Pick<AffectedSymbol, 'file' | 'non_test_callers'>): Risk {
  if (non_test_callers.length === 0) return 'low';
  return non_test_callers.some((caller) => dirname(caller.file) !== dirname(file)) ? 'high' : 'medium';
}

function nothing(summary: string): ToolResult {
  return jsonResult({ changed_files: [], affected_symbols: [], summary });
}

function readScope(scope: string): ChangeScope {
  if (scope === 'unstaged' || scope === 'staged' || scope === 'committed') return scope;
  throw new InvalidArgument(`invalid scope "${scope}": must be unstaged, staged, or committed`);
}

async function openRoot(
  { workspaces }: ToolContext,
  root: string | undefined,
  signal: AbortSignal,
): Promise<WorkspaceView> {
  if (root !== undefined) return workspaces.use(root, signal);
  if (!workspaces.active) {
    throw new InvalidArgument('workspace_root is required when no LSP root is set', 'Give workspace_root.');
  }
  return workspaces.active;
}

/** Languages of settings and markup, which have no symbols that code could use. */
const dataLanguages = new Set(['json', 'yaml', 'css', 'html', 'dockerfile', 'cmake', 'mongodb']);

function isSource(path: string): boolean {
  const language = languageOf(path);
  return language !== undefined && !dataLanguages.has(language);
}

/**
 * Judges a whole overlay as one change, by every language server it concerns.
 *
 * Invariant: `clean` needs a clean verdict of every server and no file that went unjudged; where no server evaluated
 * anything, only a change to prose, or one that leaves what a configuration means, is clean. An empty change is not. A
 * server that fails is named, and never hides what the others found.
 */
import { Failure } from '../base/failure.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { isInert } from '../servers/file-bearing.ts';
import type { Scope } from '../servers/projection-mode.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { evaluateOverlay } from './evaluate-overlay.ts';
import type { Evaluation } from './evaluation.ts';
import { type Against, changesAgainst } from './evaluation-ground.ts';
import { jsonSyntaxEvaluation } from './json-syntax.ts';
import { assignServers, liveFiles, type UnjudgedFiles, unreadFiles } from './server-assignment.ts';
import { type Verdict, verdictOf } from './verdict.ts';

export interface CheckRequest {
  readonly overlay: Overlay;
  readonly scope: Scope;
  readonly timeoutMs: number;
  /** What it is compared with; absent: the disk. */
  readonly against?: Against;
  readonly onProgress?: (message: string) => void;
}

export interface OverlayCheck {
  readonly changed: readonly WorkspacePath[];
  readonly verdict: Verdict;
  readonly evaluations: readonly Evaluation[];
  readonly unjudged: readonly UnjudgedFiles[];
}

export async function checkOverlay(
  live: LiveWorkspace,
  request: CheckRequest,
  signal: AbortSignal,
): Promise<OverlayCheck> {
  const { overlay, scope, timeoutMs, against = 'disk', onProgress } = request;
  const changes = await changesAgainst(overlay, against);
  const present = liveFiles(changes);
  const { servers, unserved, serverless } = await assignServers(live, { overlay, live: present }, signal);
  const evaluations: Evaluation[] = [];
  const unjudged = [...unserved];
  for (const { name, language, paths } of servers) {
    onProgress?.(`asking ${name}`);
    try {
      const asked = { overlay, language, scope, timeoutMs, startTimeoutMs: timeoutMs, against };
      evaluations.push(await evaluateOverlay(live, asked, signal));
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      unjudged.push({ paths, reason: thrown.message, remedy: thrown.remedy });
    }
  }
  const syntax = jsonSyntaxEvaluation(
    // Lock files mean nothing to a compiler, but one that does not parse stops every tool that reads it.
    changes.filter(({ path }) => serverless.includes(path) || isInert(path)),
    scope,
  );
  if (syntax) evaluations.push(syntax);
  if (evaluations.length === 0 && unjudged.length === 0) unjudged.push(...unreadFiles(live, changes));
  const verdict = changes.length === 0 ? emptyChange : overall(evaluations, unjudged);
  return { changed: changes.map(({ path }) => path), verdict, evaluations, unjudged };
}

/** Nothing was changed, so nothing was asked; whoever meant a change learns that none arrived. */
const emptyChange: Verdict = { kind: 'unknown', why: ['The change is empty, so nothing was evaluated.'] };

function overall(evaluations: readonly Evaluation[], unjudged: readonly UnjudgedFiles[]): Verdict {
  const verdicts = evaluations.map(verdictOf);
  const broken = verdicts.filter((verdict) => verdict.kind === 'broken');
  if (broken.length > 0) {
    const files = new Set(broken.flatMap((verdict) => verdict.in));
    return {
      kind: 'broken',
      errors: broken.reduce((sum, verdict) => sum + verdict.errors, 0),
      in: [...files].sort(),
    };
  }
  const why = [
    ...verdicts.flatMap((verdict) => (verdict.kind === 'unknown' ? verdict.why : [])),
    ...unjudged.map(({ paths, reason }) => `${paths.join(', ')}: ${reason}`),
  ];
  const isUnknown = unjudged.length > 0 || verdicts.some((verdict) => verdict.kind === 'unknown');
  return isUnknown ? { kind: 'unknown', why } : { kind: 'clean' };
}

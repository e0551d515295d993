/**
 * Judges a whole overlay as one change, by every language server it concerns.
 *
 * Invariant: `clean` needs a clean verdict of every server and no file that went unjudged; where no server evaluated
 * anything, only a change to prose, or one that leaves what a configuration means, is clean. A server that fails is
 * named, and never hides what the others found.
 */
import { Failure } from '../base/failure.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { dataReaders, isMeaningKept } from '../servers/data-reader.ts';
import type { Executor } from '../servers/executor.ts';
import { isData, isInert } from '../servers/file-bearing.ts';
import { type LanguageId, languageOf } from '../servers/language.ts';
import type { Scope } from '../servers/way.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { evaluateOverlay } from './evaluate-overlay.ts';
import type { Evaluation } from './evaluation.ts';
import { type Against, changesAgainst } from './evaluation-ground.ts';
import { jsonSyntaxEvaluation } from './json-syntax.ts';
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

/** Files no server could be asked about, and what would change that. */
export interface UnjudgedFiles {
  readonly paths: readonly WorkspacePath[];
  readonly reason: string;
  readonly remedy: string;
}

export async function checkOverlay(
  executor: Executor,
  request: CheckRequest,
  signal: AbortSignal,
): Promise<OverlayCheck> {
  const { overlay, scope, timeoutMs, against = 'disk', onProgress } = request;
  const changes = await changesAgainst(overlay, against);
  const touched = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
  const live = touched.filter((path) => !isInert(path));
  const { servers, unserved, serverless } = await assign(executor, { overlay, live }, signal);
  const evaluations: Evaluation[] = [];
  const unjudged = [...unserved];
  for (const { name, language, paths } of servers) {
    onProgress?.(`asking ${name}`);
    try {
      const asked = { overlay, language, scope, timeoutMs, startTimeoutMs: timeoutMs, against };
      evaluations.push(await evaluateOverlay(executor, asked, signal));
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      unjudged.push({ paths, reason: thrown.message, remedy: thrown.remedy });
    }
  }
  const syntax = jsonSyntaxEvaluation(
    changes.filter(({ path }) => serverless.includes(path)),
    scope,
  );
  if (syntax) evaluations.push(syntax);
  if (evaluations.length === 0 && unjudged.length === 0) {
    const kept = new Set(changes.filter((change) => isMeaningKept(executor, change)).map(({ path }) => path));
    const paths = live.filter((path) => !kept.has(path));
    if (paths.length > 0) unjudged.push(unread(paths));
  }
  const verdict = overall(evaluations, unjudged);
  return { changed: changes.map(({ path }) => path), verdict, evaluations, unjudged };
}

/** Data that nobody here reads: without a word from any server there is nothing that could be called clean. */
function unread(paths: readonly WorkspacePath[]): UnjudgedFiles {
  return {
    paths,
    reason: 'no server here reads such files, so nothing was evaluated',
    remedy:
      'Install a language server for them (forerun doctor names those that are known), or check them with their own tool.',
  };
}

interface AssignedServer {
  readonly name: string;
  readonly paths: readonly WorkspacePath[];
  readonly language: LanguageId;
}

interface LiveFiles {
  readonly overlay: Overlay;
  /** The touched files that some program may read. */
  readonly live: readonly WorkspacePath[];
}

interface Assignment {
  readonly servers: readonly AssignedServer[];
  readonly unserved: readonly UnjudgedFiles[];
  /** Data without a server of its own, whether or not a program reads it. */
  readonly serverless: readonly WorkspacePath[];
}

/** One server may speak several of the languages; it is asked once, about all that concerns it. */
async function assign(
  executor: Executor,
  { overlay, live }: LiveFiles,
  signal: AbortSignal,
): Promise<Assignment> {
  const servers = new Map<string, AssignedServer>();
  const unserved = new Map<string, UnjudgedFiles>();
  const give = async (language: LanguageId, paths: readonly WorkspacePath[]): Promise<void> => {
    const { definition } = await executor.serverFor(language, signal);
    const known = servers.get(definition.name) ?? { name: definition.name, language, paths: [] };
    servers.set(definition.name, { ...known, paths: [...known.paths, ...paths] });
  };
  const leave = (key: string, paths: readonly WorkspacePath[], thrown: unknown): void => {
    if (!(thrown instanceof Failure)) throw thrown;
    const known = unserved.get(key)?.paths ?? [];
    unserved.set(key, { paths: [...known, ...paths], reason: thrown.message, remedy: thrown.remedy });
  };
  const serverless: WorkspacePath[] = [];
  for (const path of live) {
    try {
      await give(executor.languageFor(path), [path]);
    } catch (thrown) {
      // What data means is judged by the servers of the programs that read it.
      if (thrown instanceof Failure && isData(path)) serverless.push(path);
      else leave(languageOf(path) ?? path, [path], thrown);
    }
  }
  for (const { language, paths } of await dataReaders(executor, overlay, live, signal)) {
    await give(language, paths).catch((thrown: unknown) => leave(language, paths, thrown));
  }
  return { servers: [...servers.values()], unserved: [...unserved.values()], serverless };
}

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

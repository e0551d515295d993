/**
 * Judges a whole overlay as one change, by every language server it concerns.
 *
 * Invariant: `clean` needs a clean verdict of every server and no file that went unjudged; a server that fails is
 * named, and never hides what the others found.
 */
import { Failure } from '../base/failure.ts';
import type { Overlay } from '../overlay/overlay.ts';
import { dataReaders } from '../servers/data-reader.ts';
import type { Executor } from '../servers/executor.ts';
import { isData, isInert } from '../servers/file-bearing.ts';
import { type LanguageId, languageOf } from '../servers/language.ts';
import type { Scope } from '../servers/way.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { evaluateOverlay } from './evaluate-overlay.ts';
import type { Evaluation } from './evaluation.ts';
import { type Against, changesAgainst } from './evaluation-ground.ts';
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
  const { servers, unserved } = await assign(executor, { overlay, touched }, signal);
  const evaluations: Evaluation[] = [];
  const unjudged = [...unserved];
  for (const { name, language, paths } of servers) {
    onProgress?.(`asking ${name}`);
    try {
      const asked = { overlay, language, scope, timeoutMs, against };
      evaluations.push(await evaluateOverlay(executor, asked, signal));
    } catch (thrown) {
      if (!(thrown instanceof Failure)) throw thrown;
      unjudged.push({ paths, reason: thrown.message, remedy: thrown.remedy });
    }
  }
  const verdict = overall(evaluations, unjudged);
  return { changed: changes.map(({ path }) => path), verdict, evaluations, unjudged };
}

interface AssignedServer {
  readonly name: string;
  readonly paths: readonly WorkspacePath[];
  readonly language: LanguageId;
}

interface TouchedFiles {
  readonly overlay: Overlay;
  readonly touched: readonly WorkspacePath[];
}

/** One server may speak several of the languages; it is asked once, about all that concerns it. */
async function assign(
  executor: Executor,
  { overlay, touched }: TouchedFiles,
  signal: AbortSignal,
): Promise<{ readonly servers: readonly AssignedServer[]; readonly unserved: readonly UnjudgedFiles[] }> {
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
  const live = touched.filter((path) => !isInert(path));
  for (const path of live) {
    try {
      await give(executor.languageFor(path), [path]);
    } catch (thrown) {
      // What data means is judged by the servers of the programs that read it.
      if (!(thrown instanceof Failure && isData(path))) leave(languageOf(path) ?? path, [path], thrown);
    }
  }
  for (const { language, paths } of await dataReaders(executor, overlay, live, signal)) {
    await give(language, paths).catch((thrown: unknown) => leave(language, paths, thrown));
  }
  return { servers: [...servers.values()], unserved: [...unserved.values()] };
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

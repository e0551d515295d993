/**
 * Judges a whole patch as one transaction, by every language server it concerns.
 *
 * Invariant: `clean` needs a clean verdict of every server and no file that went unjudged.
 */
import { Failure } from '../../base/failure.ts';
import { Overlay } from '../../overlay/overlay.ts';
import { applyPatch } from '../../overlay/patch.ts';
import { dataReaders } from '../../servers/data-reader.ts';
import type { Executor } from '../../servers/executor.ts';
import { isData, isInert } from '../../servers/file-bearing.ts';
import { type LanguageId, languageOf } from '../../servers/language.ts';
import type { OpenWorkspace } from '../../servers/open-workspaces.ts';
import type { Scope } from '../../servers/way.ts';
import type { Evaluation } from '../../session/evaluation.ts';
import { type Verdict, verdictOf } from '../../session/verdict.ts';
import { type FilePatch, parseUnifiedDiff } from '../../text/unified-diff.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { House } from '../house.ts';

export interface PatchRequest {
  readonly root: string;
  readonly patch: string;
  readonly scope: Scope;
  readonly timeoutMs: number;
  readonly onProgress: (message: string) => void;
}

export interface PatchCheck {
  readonly workspace: Workspace;
  /** The workspace as the patch would leave it. */
  readonly overlay: Overlay;
  readonly changed: readonly WorkspacePath[];
  readonly verdict: Verdict;
  readonly evaluations: readonly Evaluation[];
  readonly unjudged: readonly UnjudgedFiles[];
}

/** Files no server could be asked about, and what would change that. */
interface UnjudgedFiles {
  readonly paths: readonly WorkspacePath[];
  readonly reason: string;
  readonly remedy: string;
}

class PatchRejected extends Failure {
  readonly code = 'cli/patch-rejected';
  readonly remedy = 'Make the patch against the files as they are now, or name their directory with --root.';

  constructor(rejects: readonly { readonly path: string; readonly hunk: number; readonly reason: string }[]) {
    const lines = rejects.map(
      ({ path, hunk, reason }) => `  ${path}${hunk > 0 ? ` (hunk ${hunk})` : ''}: ${reason}`,
    );
    super(`the patch does not apply:\n${lines.join('\n')}`);
  }
}

export async function checkPatch(
  house: House,
  request: PatchRequest,
  signal: AbortSignal,
): Promise<PatchCheck> {
  const patches = parseUnifiedDiff(request.patch);
  const open = await house.workspaces.open(request.root, signal);
  const overlay = await patched(Overlay.on(open.executor.disk.source), patches);
  const changes = await overlay.changes();
  const touched = changes.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
  const { servers, unserved } = await assign(open, { overlay, touched }, signal);
  const evaluations: Evaluation[] = [];
  const unjudged = [...unserved];
  for (const server of servers) {
    request.onProgress(`asking ${server.name}`);
    try {
      evaluations.push(await ask(house, { ...request, patches, executor: open.executor, server }, signal));
    } catch (thrown) {
      // One server that fails must not hide what the others found.
      if (!(thrown instanceof Failure)) throw thrown;
      unjudged.push({ paths: server.paths, reason: thrown.message, remedy: thrown.remedy });
    }
  }
  const verdict = overall(evaluations, unjudged);
  const changed = changes.map(({ path }) => path);
  return { workspace: open.workspace, overlay, changed, verdict, evaluations, unjudged };
}

interface Question extends Pick<PatchRequest, 'scope' | 'timeoutMs'> {
  readonly executor: Executor;
  readonly patches: readonly FilePatch[];
  readonly server: AssignedServer;
}

async function ask(house: House, question: Question, signal: AbortSignal): Promise<Evaluation> {
  const { executor, server, patches, scope, timeoutMs } = question;
  const request = { executor, language: server.language, lifetime: 'one-call' } as const;
  const session = await house.sessions.create(request, signal);
  try {
    await session.transform((empty) => patched(empty, patches), signal);
    return await session.evaluate({ scope, timeoutMs }, signal);
  } finally {
    await house.sessions.destroy(session.id);
  }
}

async function patched(overlay: Overlay, patches: readonly FilePatch[]): Promise<Overlay> {
  const outcome = await applyPatch(overlay, patches);
  if (outcome.kind === 'rejected') throw new PatchRejected(outcome.rejects);
  return outcome.overlay;
}

interface AssignedServer {
  readonly name: string;
  readonly paths: readonly WorkspacePath[];
  readonly language: LanguageId;
}

interface PatchedFiles {
  readonly overlay: Overlay;
  readonly touched: readonly WorkspacePath[];
}

/** One server may speak several of the languages; it is asked once, about all that concerns it. */
async function assign(
  { executor }: OpenWorkspace,
  { overlay, touched }: PatchedFiles,
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

/**
 * Sources of the caller that no job carries: git ignores them, or they belong to a submodule or another repository in the
 * workspace. Only their hashes are sent: an ignored file may hold what no other machine should read.
 *
 * Invariant: a file that a server of the caller may read is one of the commit, of a layer of the job, or listed here.
 */
import { z } from 'zod';
import type { EvaluationOutcome } from '../evaluation/evaluator.ts';
import { isReadWith, isSource } from '../evaluation/source-file.ts';
import type { ListedFile } from '../git/file-state.ts';
import type { GitRepository } from '../git/git-repository.ts';
import { RepositoryPaths } from '../git/repository-overlay.ts';
import { hashedPathSchema } from '../overlay/encoded-overlay.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import { hashContent } from '../workspace/content-hash.ts';
import { DiskSource } from '../workspace/disk-source.ts';
import type { FileSource } from '../workspace/file-source.ts';
import { listFiles } from '../workspace/file-walk.ts';
import type { Workspace } from '../workspace/workspace.ts';

export const unsentSourcesSchema = z.object({
  files: z.array(hashedPathSchema),
  /** How many further ones there are. */
  more: z.number().int().nonnegative(),
});

export type UnsentSources = z.infer<typeof unsentSourcesSchema>;

/** With more sources than this outside git, nobody compares them one by one. */
const maxFiles = 5000;

export async function unsentSources(
  git: GitRepository,
  { workspace, listed }: { readonly workspace: Workspace; readonly listed: Promise<readonly ListedFile[]> },
  signal: AbortSignal,
): Promise<UnsentSources> {
  const [found, carried] = await Promise.all([listFiles(workspace, { matches: isSource }, signal), listed]);
  const paths = new RepositoryPaths(git.top, workspace);
  const sent = new Set<string>(carried.flatMap(({ path }) => paths.inside(path)));
  const unsent = found.filter((path) => !sent.has(path));
  const disk = new DiskSource(workspace);
  const files = await mapConcurrently(unsent.slice(0, maxFiles), 16, async (path) => ({
    path,
    hash: hashContent(await disk.read(path)),
  }));
  return { files, more: unsent.length - files.length };
}

/** The outcome with a doubt about every source of the caller that the worker does not have, or has otherwise. */
export async function withoutUnsent(
  outcome: EvaluationOutcome,
  { files, more }: UnsentSources,
  disk: FileSource,
): Promise<EvaluationOutcome> {
  if (outcome.kind === 'stale' || files.length === 0) return outcome;
  const evaluated = outcome.evaluations.flatMap(({ evaluatedFiles }) => evaluatedFiles);
  const read = files.filter(({ path }) => isReadWith(path, evaluated));
  if (read.length === 0) return outcome;
  const compared = await mapConcurrently(read, 16, async ({ path, hash }) =>
    hashContent(await disk.read(path)) === hash ? [] : [path],
  );
  const missing = compared.flat();
  if (missing.length + more === 0) return outcome;
  const shown = missing.slice(0, 5);
  const others = missing.length + more - shown.length;
  const reason = `not in git, and not the same on the worker${others > 0 ? ` (and ${others} more)` : ''}`;
  const unjudged = [...outcome.unjudged, { paths: shown, reason, remedy }];
  const why = `${shown.join(', ')}: ${reason}`;
  const { verdict } = outcome;
  if (verdict.kind === 'broken') return { ...outcome, unjudged };
  const known = verdict.kind === 'unknown' ? verdict.why : [];
  return { ...outcome, unjudged, verdict: { kind: 'unknown', why: [...known, why] } };
}

const remedy =
  'Judge the change on this machine, or have workers make these files with --prepare; a submodule is judged in its own repository.';

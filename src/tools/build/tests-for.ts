/**
 * Finds the test files of a source file.
 *
 * Invariant: every result exists and is a test file by convention, or is the source itself if it contains its tests.
 */
import { posix } from 'node:path';
import { scanImports } from '../../graph/reach/import-scan.ts';
import { type Overlay, readText } from '../../overlay/overlay.ts';
import type { TestConvention } from '../../toolchain/toolchain.ts';
import { mapConcurrently } from '../../workspace/concurrency.ts';
import { listFiles } from '../../workspace/file-walk.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { baseName, comparePaths, parentOf, type WorkspacePath } from '../../workspace/workspace-path.ts';

export interface TestedFile {
  readonly workspace: Workspace;
  /** The overlay that files are read from. */
  readonly source: Overlay;
  readonly path: WorkspacePath;
}

/** Files named after the source come first. */
export async function testsFor(
  file: TestedFile,
  convention: TestConvention,
  signal: AbortSignal,
): Promise<readonly WorkspacePath[]> {
  if (convention.inline) return [file.path];
  const candidates = await listFiles(
    file.workspace,
    { rule: 'unignored', matches: (name) => isTestName(convention, name) },
    signal,
  );
  const named = candidates.filter((path) => isNamedFor(convention, path, file.path));
  const placed = candidates.filter((path) => isPlacedFor(convention, path, file.path));
  const counted = new Set<WorkspacePath>([
    ...(convention.elsewhere === 'named' ? named : named.filter((path) => placed.includes(path))),
    ...placed,
    ...(convention.importers ? await importersAmong(file, candidates) : []),
    ...candidates.filter((path) => path === file.path),
  ]);
  return [...counted].sort(
    (a, b) => Number(named.includes(b)) - Number(named.includes(a)) || comparePaths(a, b),
  );
}

function isTestName(convention: TestConvention, name: string): boolean {
  return convention.subjectOf(name) !== undefined;
}

function isNamedFor(convention: TestConvention, test: WorkspacePath, source: WorkspacePath): boolean {
  const stem = baseName(source).replace(/\.[^.]+$/, '');
  return convention.subjectOf(baseName(test)) === stem;
}

function isPlacedFor(convention: TestConvention, test: WorkspacePath, source: WorkspacePath): boolean {
  const isBeside = convention.beside === 'all' && parentOf(test) === parentOf(source);
  return isBeside || (convention.directories ?? []).some((directory) => test.startsWith(`${directory}/`));
}

/** Concurrent reads: the files are small and a workspace may have thousands. */
const readAtOnce = 16;

async function importersAmong(
  { source, path }: TestedFile,
  candidates: readonly WorkspacePath[],
): Promise<readonly WorkspacePath[]> {
  const imports = await mapConcurrently(candidates, readAtOnce, async (candidate) => {
    const { text } = await readText(source, candidate);
    const { specifiers } = scanImports('ecmascript', candidate, text);
    return specifiers.some((specifier) => names(specifier, candidate, path));
  });
  return candidates.filter((_, index) => imports[index]);
}

/** Whether a relative import refers to a file. The extension may be missing or be that of the output. */
function names(specifier: string, from: WorkspacePath, target: WorkspacePath): boolean {
  if (!specifier.startsWith('.')) return false;
  const meant = posix.join(posix.dirname(from), specifier);
  const bare = (path: string): string => path.replace(/\.[cm]?[jt]sx?$/, '');
  return bare(meant) === bare(target) || `${meant === '.' ? '' : `${meant}/`}index` === bare(target);
}

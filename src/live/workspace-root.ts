/**
 * Infers the directory a file belongs to if no client named one: the workspace that includes it, or its project.
 *
 * Invariants: a workspace never extends beyond the repository of the file, nor over the user's home or a directory
 * shared by all users; its language is the file's own if a marker of that language is in the nearest project.
 */
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { isMissing } from '../base/errno.ts';
import { type LanguageId, languageId, languageOf } from '../servers/language.ts';
import { directoryNames } from '../workspace/directory-entries.ts';
import { enclosingDirectories, isRepositoryTop } from '../workspace/enclosing-directories.ts';
import { realPathOf } from '../workspace/real-path.ts';
import { binds, manifestText, type WorkspaceKind, workspaceKinds } from '../workspace/workspace-manifest.ts';

export interface InferredRoot {
  readonly root: string;
  /** Absent if only version control marks the directory. */
  readonly language?: LanguageId;
}

/** A file that marks a root; `*.ext` stands for any name with that ending. */
interface RootMarker {
  readonly name: string;
  readonly languages: readonly string[];
}

/** In the order in which they are tried within one directory. */
const markers: readonly RootMarker[] = [
  { name: 'go.mod', languages: ['go'] },
  { name: 'package.json', languages: ['typescript', 'javascript'] },
  { name: 'Cargo.toml', languages: ['rust'] },
  { name: 'pyproject.toml', languages: ['python'] },
  { name: 'setup.py', languages: ['python'] },
  { name: 'Package.swift', languages: ['swift'] },
  { name: 'build.zig', languages: ['zig'] },
  { name: 'build.gradle.kts', languages: ['kotlin', 'java'] },
  { name: 'settings.gradle.kts', languages: ['kotlin', 'java'] },
  { name: 'build.gradle', languages: ['java', 'kotlin'] },
  { name: 'pom.xml', languages: ['java', 'kotlin'] },
  { name: 'build.sbt', languages: ['scala'] },
  { name: '.terraform.lock.hcl', languages: ['terraform'] },
  { name: 'Gemfile', languages: ['ruby'] },
  { name: 'composer.json', languages: ['php'] },
  { name: '*.sln', languages: ['csharp'] },
  { name: '*.slnx', languages: ['csharp'] },
  { name: '*.csproj', languages: ['csharp'] },
  { name: 'pubspec.yaml', languages: ['dart'] },
  { name: 'mix.exs', languages: ['elixir'] },
  { name: 'gleam.toml', languages: ['gleam'] },
  { name: 'CMakeLists.txt', languages: ['cpp', 'c', 'cmake'] },
  { name: 'compile_commands.json', languages: ['cpp', 'c'] },
];

/**
 * The workspace of a file or directory: its repository; without one, the outermost workspace manifest that includes
 * it; without one, its project.
 */
export async function inferWorkspace(
  path: string,
  env: Environment,
  signal: AbortSignal,
): Promise<InferredRoot | undefined> {
  const around = await surroundings(path, env);
  const project = await nearestProject(path, around, signal);
  const top = around.find(({ directory }) => isRepositoryTop(directory));
  const root = top?.directory ?? (await bindingDirectory(around, signal)) ?? project?.root;
  if (root === undefined) return undefined;
  return { root, ...(project?.language !== undefined && { language: project.language }) };
}

/** The nearest directory with a project manifest, for builds and tests; without one, the repository. */
export async function inferProject(
  path: string,
  env: Environment,
  signal: AbortSignal,
): Promise<InferredRoot | undefined> {
  return nearestProject(path, await surroundings(path, env), signal);
}

interface Surrounding {
  readonly directory: string;
  readonly names: readonly string[];
}

/** The candidate directories, up to the repository. A directory that was named itself is always among them. */
async function surroundings(path: string, env: Environment): Promise<readonly Surrounding[]> {
  const named = resolve(path);
  const start = realPathOf((await isDirectory(named)) ? named : dirname(named));
  const around = enclosingDirectories(start, env);
  const candidates = around.length === 0 && (await isDirectory(named)) ? [start] : around;
  const top = candidates.findIndex(isRepositoryTop);
  const own = top < 0 ? candidates : candidates.slice(0, top + 1);
  return own.map((directory) => ({ directory, names: directoryNames(directory) }));
}

async function nearestProject(
  path: string,
  around: readonly Surrounding[],
  signal: AbortSignal,
): Promise<InferredRoot | undefined> {
  signal.throwIfAborted();
  const preferred = languageOf(resolve(path));
  for (const { directory, names } of around) {
    const found = judge(directory, names, preferred);
    if (found) return found;
  }
  return undefined;
}

/** For each kind of workspace the nearest manifest counts; of several kinds, the outermost. */
async function bindingDirectory(
  around: readonly Surrounding[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await Promise.all(workspaceKinds.map((kind) => nearestBinding(kind, around)));
  signal.throwIfAborted();
  return around.findLast((_, index) => found.includes(index))?.directory;
}

async function nearestBinding(kind: WorkspaceKind, around: readonly Surrounding[]): Promise<number> {
  for (const [index, { directory, names }] of around.entries()) {
    const manifest = names.find((name) => kind.manifests.some((pattern) => isMarker(name, pattern)));
    const text = manifest && manifestText(join(directory, manifest));
    const membership = text === undefined ? undefined : await kind.members(text);
    const below = around.slice(0, index).map((each) => each.directory);
    if (membership && (await binds(directory, below, membership))) return index;
  }
  return -1;
}

function judge(
  directory: string,
  names: readonly string[],
  preferred: LanguageId | undefined,
): InferredRoot | undefined {
  const hits = markers.filter((marker) => names.some((name) => isMarker(name, marker.name)));
  const own =
    preferred && hits.some((marker) => marker.languages.includes(preferred)) ? preferred : undefined;
  const first = hits[0]?.languages[0];
  if (own ?? first) return { root: directory, language: own ?? languageId(first ?? '') };
  return names.includes('.git') ? { root: directory } : undefined;
}

function isMarker(name: string, marker: string): boolean {
  return marker.startsWith('*') ? name.endsWith(marker.slice(1)) : name === marker;
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
}

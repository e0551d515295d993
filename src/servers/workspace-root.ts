/**
 * Which directory a file belongs to, when nobody said.
 *
 * Invariant: the nearest directory that holds a marker is the root; its language is the file's own where a
 * marker of that language is among them.
 */
import { readdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errnoOf, isMissing } from '../workspace/errno.ts';
import { type LanguageId, languageId, languageOf } from './language.ts';

export interface InferredRoot {
  readonly root: string;
  /** Absent where only version control marks the directory. */
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

/** Walks upward from a file or directory to the first directory with a marker in it. */
export async function inferRoot(path: string, signal: AbortSignal): Promise<InferredRoot | undefined> {
  const start = resolve(path);
  const preferred = languageOf(start);
  let directory = (await isDirectory(start)) ? start : dirname(start);
  for (;;) {
    signal.throwIfAborted();
    const found = judge(directory, await namesIn(directory), preferred);
    if (found) return found;
    const above = dirname(directory);
    if (above === directory) return undefined;
    directory = above;
  }
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

/** A directory that is not there yet, or may not be read, holds no markers. */
async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (thrown) {
    if (isMissing(thrown) || errnoOf(thrown) === 'EACCES' || errnoOf(thrown) === 'EPERM') return [];
    throw thrown;
  }
}

/**
 * Which servers judge a change: those of its files, and those of programs that read them as data: configuration,
 * manifests, imported files.
 *
 * Invariants: a file that some program may read is assigned to a server, is data without one, or is listed as not
 * judged. A language is asked if the verdict on any of its files may differ after the change, whether or not a server
 * for it is installed.
 */
import { Failure } from '../base/failure.ts';
import { configMeaning } from '../graph/reach/config-meaning.ts';
import type { LiveWorkspace } from '../live/live-workspace.ts';
import type { FileChange, Overlay } from '../overlay/overlay.ts';
import {
  includesAnyFile,
  isCompiled,
  isConfiguredBy,
  isData,
  isImportedAsData,
  isIrrelevantToServers,
  serves,
} from '../servers/file-relevance.ts';
import { type LanguageId, languageOf } from '../servers/language.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import { NoServerForFile } from '../servers/server-register.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';

export interface AssignedServer {
  readonly name: string;
  readonly paths: readonly WorkspacePath[];
  readonly language: LanguageId;
}

interface LiveFiles {
  /** The overlays that are compared; that of the disk may be left out. */
  readonly sides: readonly Overlay[];
  /** The changed files that some program may read. */
  readonly live: readonly WorkspacePath[];
  /** The changed files that a source may include as they are. */
  readonly includable: readonly WorkspacePath[];
}

interface Assignment {
  readonly servers: readonly AssignedServer[];
  readonly unserved: readonly UnjudgedFiles[];
  /** Data without a server of its own, whether or not a program reads it. */
  readonly serverless: readonly WorkspacePath[];
}

/** A server for several of the languages is asked once, about everything that affects it. */
export async function assignServers(
  live: LiveWorkspace,
  { sides, live: present, includable }: LiveFiles,
  signal: AbortSignal,
): Promise<Assignment> {
  const servers = new Map<string, AssignedServer>();
  const unserved = new Map<string, UnjudgedFiles>();
  const give = async (language: LanguageId, paths: readonly WorkspacePath[]): Promise<void> => {
    const { definition } = await live.servers.locate(language, signal);
    const known = servers.get(definition.name) ?? { name: definition.name, language, paths: [] };
    servers.set(definition.name, { ...known, paths: [...known.paths, ...paths] });
  };
  const leave = (key: string, paths: readonly WorkspacePath[], thrown: unknown): void => {
    if (!(thrown instanceof Failure)) throw thrown;
    const known = unserved.get(key)?.paths ?? [];
    unserved.set(key, { paths: [...known, ...paths], reason: thrown.message, remedy: thrown.remedy });
  };
  const serverless: WorkspacePath[] = [];
  for (const path of present) {
    try {
      await give(await servingLanguage(live, path, signal), [path]);
    } catch (thrown) {
      // Data is judged by the servers of the programs that read it.
      if (thrown instanceof Failure && isData(path)) serverless.push(path);
      else leave(languageOf(path) ?? path, [path], thrown);
    }
  }
  for (const { language, paths } of await dataReaders(
    live,
    { sides, changed: present, includable },
    signal,
  )) {
    await give(language, paths).catch((thrown: unknown) => leave(language, paths, thrown));
  }
  return { servers: [...servers.values()], unserved: [...unserved.values()], serverless };
}

/** The language of a file. Fails if its server is only the fallback for unknown files and does not serve this one. */
export async function servingLanguage(
  live: LiveWorkspace,
  path: WorkspacePath,
  signal: AbortSignal,
): Promise<LanguageId> {
  const language = live.languageFor(path);
  const { definition } = await live.servers.locate(language, signal);
  if (!serves(definition, path)) throw new NoServerForFile(path);
  return language;
}

/** Files that no server could be asked about, and how to change that. */
export interface UnjudgedFiles {
  readonly paths: readonly WorkspacePath[];
  readonly reason: string;
  readonly remedy: string;
  /** Set if a server was asked and failed. */
  readonly failure?: { readonly server: string; readonly code: string };
}

/** The changed files that some program may read. */
export function liveFiles(changes: readonly FileChange[]): readonly WorkspacePath[] {
  const readable = changes.filter((change) => !isOpaque(change));
  const touched = readable.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
  return touched.filter((path) => !isIrrelevantToServers(path));
}

/**
 * The changed files that a source in another language may include as they are. Of a program only its presence matters there:
 * its text is embedded, not compiled.
 */
export function includableFiles(changes: readonly FileChange[]): readonly WorkspacePath[] {
  return changes.flatMap(({ path, from, before, after }) => {
    if (from !== undefined) return [from, path];
    const isProgram = languageOf(path) !== undefined && !isData(path);
    return isProgram && before !== undefined && after !== undefined ? [] : [path];
  });
}

/** Whether the file is no text before and after the change, and no program that compilers look into. */
function isOpaque({ path, from = path, before, after }: FileChange): boolean {
  const contents = [before, after].filter((content) => content !== undefined);
  const isText = contents.some(({ kind }) => kind !== 'binary');
  return !isText && ![path, from].some((each) => languageOf(each) !== undefined || isCompiled(each));
}

/** Data that no program here reads: without an answer of any server, nothing can be called clean. */
export function unreadFiles(live: LiveWorkspace, changes: readonly FileChange[]): readonly UnjudgedFiles[] {
  const kept = new Set(changes.filter((change) => isMeaningKept(live, change)).map(({ path }) => path));
  const paths = liveFiles(changes).filter((path) => !kept.has(path));
  if (paths.length === 0) return [];
  const unread = {
    paths,
    reason: 'no server here reads such files, so nothing was evaluated',
    remedy:
      'Install a language server for them (forerun doctor names those that are known), or check them with their own tool.',
  };
  return [unread];
}

/** Submodules that a change moves: their files are in no repository that is open here. */
export function unjudgedSubmodules(paths: readonly WorkspacePath[]): readonly UnjudgedFiles[] {
  if (paths.length === 0) return [];
  return [
    {
      paths,
      reason: 'a submodule changes; its files are compared as they are on disk',
      remedy: 'Judge the change of the submodule in its own directory.',
    },
  ];
}

/** A language, and the changed files that its own files depend on. */
interface DataReader {
  readonly language: LanguageId;
  readonly paths: readonly WorkspacePath[];
}

interface ReadData {
  /** The overlays that are compared: one that equals the disk reaches nothing, the other then does. */
  readonly sides: readonly Overlay[];
  /** Changed files that configure or describe. */
  readonly changed: readonly WorkspacePath[];
  /** Changed files of any kind whose name or content a source may include. */
  readonly includable: readonly WorkspacePath[];
}

async function dataReaders(
  live: LiveWorkspace,
  { sides, changed, includable }: ReadData,
  signal: AbortSignal,
): Promise<readonly DataReader[]> {
  const readers = new Map<LanguageId, Set<WorkspacePath>>();
  const read = (
    path: WorkspacePath,
    reads: (definition: ServerDefinition, path: string) => boolean,
  ): void => {
    for (const language of live.servers.register.languagesThat(reads, path)) {
      readers.set(language, (readers.get(language) ?? new Set()).add(path));
    }
  };
  for (const path of changed) read(path, isImportedAsData);
  for (const path of includable) read(path, includes);
  if (readers.size === 0) return [];
  await live.syncWithDisk(signal);
  const found: DataReader[] = [];
  for (const [language, paths] of readers) {
    const located = { definition: live.servers.register.definitionFor(language), command: [] };
    const reaches = sides.map((side) => live.reach.of({ overlay: side }, { located }, signal));
    const files = (await Promise.all(reaches)).flatMap((reach) => reach.files);
    if (files.some((path) => !changed.includes(path) && !includable.includes(path)))
      found.push({ language, paths: [...paths] });
  }
  return found;
}

function includes(definition: ServerDefinition, path: string): boolean {
  return includesAnyFile(definition) && !serves(definition, path);
}

/** The language whose server judges a change to one file: for a configuration file, the language it configures. */
export function judgingLanguage(live: LiveWorkspace, path: WorkspacePath): LanguageId {
  const [reader] = live.servers.register.languagesThat(isConfiguredBy, path);
  return reader ?? live.languageFor(path);
}

/** Whether a configuration has the same meaning before and after the change, so that it cannot alter any verdict. */
function isMeaningKept(live: LiveWorkspace, { path, from, before, after }: FileChange): boolean {
  if (from !== undefined || before?.kind !== 'text' || after?.kind !== 'text') return false;
  if (live.servers.register.languagesThat(isConfiguredBy, path).length === 0) return false;
  return configMeaning(path, before.text).relevant === configMeaning(path, after.text).relevant;
}

/**
 * Which languages read a file that is not written in them: configuration, manifests, imported data.
 *
 * Invariant: a language is included if the verdict on any of its files may differ after the change, whether or not a
 * server for it is installed.
 */

import { configMeaning } from '../graph/reach/config-meaning.ts';
import type { FileChange, Overlay } from '../overlay/overlay.ts';
import { includesAnyFile, isConfiguredBy, isImportedAsData, serves } from '../servers/file-relevance.ts';
import type { LanguageId } from '../servers/language.ts';
import type { ServerDefinition } from '../servers/server-definition.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import type { LiveWorkspace } from './live-workspace.ts';

/** A language, and the changed files that its own files depend on. */
export interface DataReader {
  readonly language: LanguageId;
  readonly paths: readonly WorkspacePath[];
}

export interface ReadData {
  /** The overlays that are compared: one that equals the disk reaches nothing, the other then does. */
  readonly sides: readonly Overlay[];
  /** Changed files that configure or describe. */
  readonly changed: readonly WorkspacePath[];
  /** Changed files of any kind whose name or content a source may include. */
  readonly includable: readonly WorkspacePath[];
}

export async function dataReaders(
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
export function isMeaningKept(live: LiveWorkspace, { path, from, before, after }: FileChange): boolean {
  if (from !== undefined || before?.kind !== 'text' || after?.kind !== 'text') return false;
  if (live.servers.register.languagesThat(isConfiguredBy, path).length === 0) return false;
  return configMeaning(path, before.text).relevant === configMeaning(path, after.text).relevant;
}

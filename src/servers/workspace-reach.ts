/**
 * Which files an overlay can reach in one workspace, by the import rules of each server's languages.
 *
 * Invariant: the graphs take in every change on disk before they answer.
 */
import { readFileSync } from 'node:fs';
import type { FileChange } from '../overlay/overlay.ts';
import { isMissing } from '../workspace/errno.ts';
import { listFiles } from '../workspace/file-walk.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { comparePaths, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { DiskState } from './disk-state.ts';
import { languages } from './language.ts';
import type { Reach, Survey } from './reach/reach-graph.ts';
import { ReachIndex } from './reach/reach-index.ts';
import { isSeenByOthers } from './reach/seen-change.ts';
import type { ServerDefinition } from './server-definition.ts';
import { serves } from './server-routing.ts';

export class WorkspaceReach {
  readonly #workspace: Workspace;
  readonly #indexes = new Map<string, ReachIndex>();

  constructor(workspace: Workspace, disk: DiskState) {
    this.#workspace = workspace;
    disk.changes.subscribe((events) => {
      for (const index of this.#indexes.values()) index.invalidate(events);
    });
  }

  /** The files of `definition`'s languages whose diagnostics the changes may alter. */
  async of(
    definition: ServerDefinition,
    changes: readonly FileChange[],
    signal: AbortSignal,
  ): Promise<Reach> {
    const { seen, alone } = divide(definition, changes);
    const reach = seen.length > 0 ? await this.#index(definition).reach(textsOf(seen), signal) : nothing;
    return withFiles(definition, reach, alone);
  }

  /** As `of`, but only where the graph is up to date already. */
  ifFresh(definition: ServerDefinition, changes: readonly FileChange[]): Reach | undefined {
    const { seen, alone } = divide(definition, changes);
    const reach = seen.length > 0 ? this.#indexes.get(definition.name)?.reachIfFresh(textsOf(seen)) : nothing;
    return reach && withFiles(definition, reach, alone);
  }

  /** The files of `definition`'s family, and what sets the terms for them. */
  survey(definition: ServerDefinition, signal: AbortSignal): Promise<Survey> {
    return this.#index(definition).survey(signal);
  }

  #index(definition: ServerDefinition): ReachIndex {
    const known = this.#indexes.get(definition.name);
    if (known) return known;
    const options =
      definition.reach === 'all' || definition.reach === 'crate'
        ? { family: definition.reach, extensions: extensionsOf(definition) }
        : { family: definition.reach };
    const index = new ReachIndex(options, {
      list: (extensions, signal) => listFiles(this.#workspace, { extensions }, signal),
      readText: (path) => textAt(this.#workspace.absolute(path)),
    });
    this.#indexes.set(definition.name, index);
    return index;
  }
}

const nothing: Reach = { files: [], complete: true };

/** The changes whose files can be asked about alone are told from those that others see. */
function divide(
  definition: ServerDefinition,
  changes: readonly FileChange[],
): { readonly seen: readonly FileChange[]; readonly alone: readonly WorkspacePath[] } {
  const seen = changes.filter(
    (change) => !serves(definition, change.path) || isSeenByOthers(definition.reach, change),
  );
  const alone = changes.filter((change) => !seen.includes(change)).map(({ path }) => path);
  return { seen, alone };
}

function withFiles(definition: ServerDefinition, reach: Reach, more: readonly WorkspacePath[]): Reach {
  const files = reach.files.filter((path) => serves(definition, path));
  return { ...reach, files: [...new Set([...files, ...more])].sort(comparePaths) };
}

function textsOf(changes: readonly FileChange[]): ReadonlyMap<WorkspacePath, string | undefined> {
  const texts = new Map<WorkspacePath, string | undefined>();
  for (const { path, from, after } of changes) {
    if (from !== undefined) texts.set(from, undefined);
    texts.set(path, after?.kind === 'text' ? after.text : undefined);
  }
  return texts;
}

/**
 * Read past the remembered state of the disk: thousands of files need no looking after, the watcher names the
 * changed ones. Read at once, since a trip through the thread pool for each costs more than the reading.
 */
function textAt(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

function extensionsOf(definition: ServerDefinition): ReadonlySet<string> {
  return new Set(
    definition.languages.flatMap((language) => languages.get(language)?.extensions ?? [language]),
  );
}

/**
 * How much of a workspace a new server loads, and the settings by which it does.
 *
 * Invariant: the user's own configuration of a server is never removed, and no file is written.
 */

import type { Log } from '../../base/log.ts';
import { fieldOf } from '../../base/record.ts';
import { fieldsOf } from '../../graph/reach/keys/loose-json.ts';
import type { Survey } from '../../graph/reach/reach-graph.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import type { DiskState } from '../../workspace/disk-state.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { ServerDefinition } from '../server-definition.ts';
import { ChosenPlaces } from './chosen-places.ts';
import type { LoadScope } from './load-scope.ts';
import { ServerScope } from './server-scope.ts';

export interface ScopeRequest {
  readonly survey: () => Promise<Survey>;
  /** Chosen by the caller; empty: by the size of the workspace. */
  readonly places: readonly WorkspacePath[];
  /** Whether a server loads only the needed part of a large workspace; absent: it loads all of it. */
  readonly load?: 'parts' | 'everything' | undefined;
}

interface ScopedStart {
  readonly definition: ServerDefinition;
  readonly workspace: Workspace;
  readonly disk: DiskState;
  readonly scope?: ScopeRequest | undefined;
  readonly log: Log;
}

export function scopeFor(
  { definition, workspace, disk, scope, log }: ScopedStart,
  server: LanguageServer,
): LoadScope | undefined {
  if (!scope || definition.scoping === undefined) return undefined;
  const isChosen = scope.places.length > 0;
  if (definition.scoping === 'include-setting') {
    return isChosen ? new ChosenPlaces(scope.survey, scope.places) : undefined;
  }
  return isChosen || scope.load !== 'everything'
    ? new ServerScope({ server, workspace, disk, log, ...scope })
    : undefined;
}

/** The settings of a server, with the directories chosen by the caller if it takes them from there. */
export function scopedSettings({ definition, scope }: ScopedStart): unknown {
  const places = scope?.places ?? [];
  if (definition.scoping !== 'include-setting' || places.length === 0) return definition.settings;
  return Object.fromEntries(
    fieldsOf(definition.settings).map(([section, settings]) => {
      const analysis = Object.fromEntries(fieldsOf(fieldOf(settings, 'analysis')));
      return [
        section,
        { ...Object.fromEntries(fieldsOf(settings)), analysis: { ...analysis, include: places } },
      ];
    }),
  );
}

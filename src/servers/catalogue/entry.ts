/**
 * The shape of a row in the catalogue: the known properties of a server, over the assumptions for one that was not
 * measured.
 *
 * Invariant: the assumptions are cautious. An unmeasured server is settled by a quiet window unless it announces a
 * pull, is assumed not to see unsaved files, and an edit may affect every file of its language.
 */
import { languageId } from '../language.ts';
import type { BelievesUnsaved, ServerDefinition } from '../server-definition.ts';

/** The properties a row must state, and those it may leave to the assumptions. */
export type CatalogueEntry = Pick<ServerDefinition, 'name' | 'command' | 'installHint' | 'executes'> &
  Partial<Omit<ServerDefinition, 'languages'>> & { readonly languages: readonly string[] };

export function defineServer(entry: CatalogueEntry): ServerDefinition {
  return { ...unmeasured, ...entry, languages: entry.languages.map(languageId) };
}

/** Servers that check each file by itself, so that no other file matters. */
export const judgesFilesAlone: BelievesUnsaved = {
  created: 'anywhere',
  deleted: 'by-event',
  dependents: 'all',
};

const unmeasured = {
  rootMarkers: ['.git'],
  settle: { mode: 'offered', quietMs: 500 },
  believesUnsaved: { created: 'nowhere', deleted: 'never', dependents: 'all' },
  reach: 'all',
  quirks: { readiness: 'progress' },
  preference: 50,
} as const satisfies Partial<ServerDefinition>;

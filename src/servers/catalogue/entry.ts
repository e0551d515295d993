/**
 * The shape of a row in the catalogue: what is said of a server, over what is assumed of one nobody measured.
 *
 * Invariant: the assumptions are the careful ones. An unmeasured server is settled by a quiet window unless it
 * announces a pull, is not taken to see unsaved files, and an edit may reach every file of its language.
 */
import { languageId } from '../language.ts';
import type { BelievesUnsaved, ServerDefinition } from '../server-definition.ts';

/** What a row must say of its own, and what it may leave to the careful assumptions. */
export type CatalogueEntry = Pick<ServerDefinition, 'name' | 'command' | 'installHint' | 'executes'> &
  Partial<Omit<ServerDefinition, 'languages'>> & { readonly languages: readonly string[] };

export function defineServer(entry: CatalogueEntry): ServerDefinition {
  return { ...unmeasured, ...entry, languages: entry.languages.map(languageId) };
}

/** Servers that judge each file by itself: there is nobody to see or to miss another one. */
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

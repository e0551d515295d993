/**
 * Answers about references from the cache, without a server.
 *
 * Invariant: a cached answer says so, with the fingerprint of its dependencies.
 */
import { CachedReferences, type KnownReferences } from '../code/cached-references.ts';
import type { WorkspaceView } from '../live/workspace-view.ts';
import type { LanguageId } from '../servers/language.ts';
import { LineIndex } from '../text/position.ts';
import { type PositionInput, readPosition } from './position-input.ts';
import { type FileInput, routeOf } from './read-file-tool.ts';
import type { ToolContext } from './tool-context.ts';

/** Undefined if the language is not cached. */
export async function knownUses(
  { live, overlay, workspace }: WorkspaceView,
  language: LanguageId,
  signal: AbortSignal,
): Promise<CachedReferences | undefined> {
  const knowledge = await live.cachedAnswers.about(overlay, language, signal);
  return knowledge && new CachedReferences(knowledge, workspace);
}

interface KnownAtPlace {
  readonly known: CachedReferences;
  readonly index: LineIndex;
  /** Absent if the references are not cached, or the cached list is empty: then a server must answer. */
  readonly found?: KnownReferences;
}

/** The cached uses of the symbol at a position; undefined if the language is not cached. */
export async function usesKnownAt(
  context: ToolContext,
  input: FileInput & PositionInput & { readonly includeDeclaration: boolean },
  signal: AbortSignal,
): Promise<KnownAtPlace | undefined> {
  const { view, path } = await context.workspaces.locateFile(input.file_path, signal);
  const known = await knownUses(view, routeOf(view, path, input.language_id), signal);
  if (!known) return undefined;
  // Read after the disk was checked. If it changes now, the files are compared again before anything is cached.
  const content = await view.overlay.read(path);
  if (content?.kind !== 'text') return undefined;
  const index = new LineIndex(content.text);
  const place = { path, position: readPosition(input, content.text), index };
  const found = known.references(place, input);
  return { known, index, ...(found && found.locations.length > 0 && { found }) };
}

/** The same facts as for a server's answer, plus the origin of this one. */
export function knownProof(
  { server }: CachedReferences,
  { fingerprint }: KnownReferences,
): Readonly<Record<string, unknown>> {
  return { indexed: true, server, cached: { fingerprint } };
}

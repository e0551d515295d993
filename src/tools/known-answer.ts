/**
 * What tools that look for uses know without asking a server.
 *
 * Invariant: an answer that comes from the cache says so, with the fingerprint of what it rests on.
 */
import { CachedReferences, type KnownReferences } from '../code/cached-references.ts';
import type { WorkspaceView } from '../live/workspace-view.ts';
import type { LanguageId } from '../servers/language.ts';
import { LineIndex } from '../text/line-index.ts';
import { locateFile } from './file-location.ts';
import { type PositionInput, readPosition } from './position-input.ts';
import { type FileInput, routeOf } from './read-file-tool.ts';
import type { ToolContext } from './tool-context.ts';

/** Undefined where nothing can be known of a language. */
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
  /** Absent where they are not known, or none are: then a server has the last word. */
  readonly found?: KnownReferences;
}

/** The uses of the symbol at a place; undefined where nothing can be known. */
export async function usesKnownAt(
  context: ToolContext,
  input: FileInput & PositionInput & { readonly includeDeclaration: boolean },
  signal: AbortSignal,
): Promise<KnownAtPlace | undefined> {
  const { view, path } = await locateFile(context, input.file_path, signal);
  const known = await knownUses(view, routeOf(view, path, input.language_id), signal);
  if (!known) return undefined;
  // Read after the files were looked at: whatever it says now, they are compared again before anything is kept.
  const content = await view.overlay.read(path);
  if (content?.kind !== 'text') return undefined;
  const index = new LineIndex(content.text);
  const place = { path, position: readPosition(input, content.text), index };
  const found = known.references(place, input);
  return { known, index, ...(found && found.locations.length > 0 && { found }) };
}

/** The same facts a server's own answer carries, and where this one came from. */
export function knownProof(
  { server }: CachedReferences,
  { fingerprint }: KnownReferences,
): Readonly<Record<string, unknown>> {
  return { indexed: true, server, cached: { fingerprint } };
}

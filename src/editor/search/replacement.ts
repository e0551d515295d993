/**
 * A replacement of every match, worked out and not made.
 *
 * Invariant: it is worked out on the text that the buffers show at one moment; the applier refuses it once a file of it
 * has changed. Line ends and byte order marks of files stay.
 */
import { Failure } from '../../base/failure.ts';
import { Overlay } from '../../overlay/overlay.ts';
import { applyChange, type Change } from '../../text/text-edit.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { BufferContent } from '../buffer.ts';
import type { FoundMatch, SearchQuery, ShownLine } from '../protocol/search.ts';
import { SearchExpression } from './search-expression.ts';
import { ShownLines } from './shown-match.ts';
import { type MatchedFile, type SearchedPlace, searchWorkspace } from './workspace-search.ts';

export interface ReplacedFile {
  readonly path: WorkspacePath;
  readonly places: number;
  /** The first ones. */
  readonly shown: { range: FoundMatch['range']; line: ShownLine; newText: string }[];
}

export interface WorkspaceReplacement {
  readonly edited: Overlay;
  /** The contents that it was worked out on. */
  readonly before: ReadonlyMap<WorkspacePath, BufferContent>;
  readonly files: readonly ReplacedFile[];
  readonly skipped: readonly WorkspacePath[];
}

export interface ReplacementQuery {
  readonly query: SearchQuery;
  readonly replacement: string;
  readonly without: ReadonlySet<string>;
}

const mostPlaces = 50_000;
const mostShown = 2_000;
const longestShown = 400;

export async function workOutReplacement(
  place: SearchedPlace,
  { query, replacement, without }: ReplacementQuery,
  signal: AbortSignal,
): Promise<WorkspaceReplacement> {
  const expression = new SearchExpression(query);
  const entries: (readonly [WorkspacePath, FileContent])[] = [];
  const before = new Map<WorkspacePath, BufferContent>();
  const files: ReplacedFile[] = [];
  const skipped: WorkspacePath[] = [];
  let [places, shownPlaces] = [0, 0];
  const limits = { matchesPerFile: mostPlaces + 1 };
  for await (const step of searchWorkspace(place, query, limits, signal)) {
    skipped.push(...step.skipped);
    for (const file of step.files) {
      if (without.has(file.path)) continue;
      places += file.matches.length;
      if (places > mostPlaces) throw new TooManyPlaces(mostPlaces);
      const change = file.matches.map((match) => ({
        start: match.start,
        end: match.end,
        text: expression.replacementOf(match, replacement),
      }));
      const text = replaced(file, change);
      if (text === file.content.text) continue;
      before.set(file.path, file.content);
      entries.push([file.path, { ...file.content, text }]);
      const shown = shownPlacesOf(file, change, mostShown - shownPlaces);
      shownPlaces += shown.length;
      files.push({ path: file.path, places: file.matches.length, shown });
    }
  }
  return { edited: Overlay.on(place.overlay).writeAll(entries), before, files, skipped };
}

function replaced({ text, lineEnds }: MatchedFile, change: Change): string {
  const after = applyChange(text, change);
  return lineEnds === 'crlf' ? after.replaceAll('\n', '\r\n') : after;
}

function shownPlacesOf({ text, matches }: MatchedFile, change: Change, most: number): ReplacedFile['shown'] {
  const lines = new ShownLines(text);
  return matches.slice(0, most).map((match, index) => {
    const { range, line } = lines.shown(match);
    return { range, line, newText: (change[index]?.text ?? '').slice(0, longestShown) };
  });
}

class TooManyPlaces extends Failure {
  readonly code = 'editor/too-many-places';
  readonly remedy = 'Narrow the search, for example by the files to include.';

  constructor(most: number) {
    super(`more than ${most} places would be replaced`);
  }
}

/**
 * Which changed line causes errors in other files.
 *
 * Invariant: a line is named only where nothing else can be meant: it is the only changed place of the unsaved text,
 * or the only one that holds a name which the error is about. Otherwise the error has no cause here.
 */
import type { Overlay } from '../overlay/overlay.ts';
import { compareLines } from '../text/diff.ts';
import { parseWorkspacePath } from '../workspace/workspace-path.ts';
import type { WireEvaluation, WireFinding } from './protocol/evaluation.ts';

interface ChangedPlace {
  readonly path: string;
  readonly line: number;
  /** The names in the changed lines, before and after. */
  readonly names: ReadonlySet<string>;
}

export interface FutureCause {
  readonly path: string;
  readonly line: number;
  readonly errors: number;
  readonly files: string[];
}

export async function causesOf(
  overlay: Overlay,
  { introduced }: WireEvaluation,
): Promise<readonly FutureCause[]> {
  const places = await changedPlaces(overlay);
  const edited = new Set(places.map(({ path }) => path));
  const elsewhere = introduced.filter(({ path, severity }) => severity === 'error' && !edited.has(path));
  const causes = new Map<ChangedPlace, WireFinding[]>();
  for (const finding of elsewhere) {
    const place = await causeOf(overlay, places, finding);
    if (place) causes.set(place, [...(causes.get(place) ?? []), finding]);
  }
  return [...causes].map(([{ path, line }, findings]) => {
    const files = [...new Set(findings.map((finding) => finding.path))];
    return { path, line, errors: findings.length, files };
  });
}

async function causeOf(
  overlay: Overlay,
  places: readonly ChangedPlace[],
  finding: WireFinding,
): Promise<ChangedPlace | undefined> {
  if (places.length <= 1) return places[0];
  for (const name of await namesAbout(overlay, finding)) {
    const found = places.filter(({ names }) => names.has(name));
    if (found.length === 1) return found[0];
  }
  return undefined;
}

/** The names that an error is about, the surest first: those it quotes, then those it underlines, then its line. */
async function namesAbout(
  overlay: Overlay,
  { path, range, message }: WireFinding,
): Promise<readonly string[]> {
  const quoted = [...message.matchAll(/['"`‘“]([^'"`’”]+)['"`’”]/g)].flatMap(([, text = '']) =>
    namesIn(text),
  );
  const parsed = parseWorkspacePath(path);
  const content = parsed === undefined ? undefined : await overlay.read(parsed);
  const line = content?.kind === 'text' ? (content.text.split('\n')[range.start.line] ?? '') : '';
  const to = range.end.line === range.start.line ? range.end.character : line.length;
  return [...quoted, ...namesIn(line.slice(range.start.character, to)), ...namesIn(line)];
}

/** The stretches of changed lines of every text in the overlay. */
async function changedPlaces(overlay: Overlay): Promise<readonly ChangedPlace[]> {
  return (await overlay.changes()).flatMap(({ path, before, after }) => {
    if (after?.kind !== 'text') return [];
    const old = before?.kind === 'text' ? before.text : '';
    const [oldLines, lines] = [old.split('\n'), after.text.split('\n')];
    return compareLines(old, after.text).map(({ oldStart, oldEnd, newStart, newEnd }) => ({
      path,
      line: Math.min(newStart, lines.length - 1),
      names: new Set(
        [...oldLines.slice(oldStart, oldEnd), ...lines.slice(newStart, newEnd)].flatMap(namesIn),
      ),
    }));
  });
}

function namesIn(text: string): readonly string[] {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
}

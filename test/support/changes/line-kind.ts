/**
 * Changes of languages whose sources are read by line: a pattern finds a line, a function says what stands there instead.
 *
 * Invariant: a drawn line matches its pattern in the text as it is, and everything else stays.
 */
import { posix } from 'node:path';
import type { SeededRandom } from '../seeded-random.ts';
import type { Change, ChangedFile, ChangeKind } from './change.ts';
import { drawOne, drawPath, type Sources } from './sources.ts';

export interface LineKind {
  readonly name: string;
  /** What the line looks like; groups are handed to `put`. */
  readonly at: RegExp;
  /** What stands instead of the line; it may be several lines, or none. */
  put(match: RegExpExecArray, random: SeededRandom): string | undefined;
}

/** Kinds that replace one line of a drawn file. */
export function lineKinds(file: RegExp, kinds: readonly LineKind[]): readonly ChangeKind[] {
  return kinds.map(({ name, at, put }) => ({
    name,
    draw: (sources, random) => {
      const found = drawLine(sources, random, { file, at });
      const replacement = found && put(found.match, random);
      if (!found || replacement === undefined) return undefined;
      const lines = [...found.lines];
      lines.splice(found.row, 1, ...(replacement === '' ? [] : [replacement]));
      const old = found.match[0].trim().slice(0, 80);
      const sentence = `${found.path}:${found.row + 1}: ${old} → ${replacement.trim().slice(0, 120) || 'nothing'}`;
      return { kind: '', sentence, files: [{ path: found.path, after: lines.join('\n') }] };
    },
  }));
}

export interface FoundLine {
  readonly path: string;
  readonly lines: readonly string[];
  readonly row: number;
  readonly match: RegExpExecArray;
}

export function drawLine(
  sources: Sources,
  random: SeededRandom,
  { file, at }: { readonly file: RegExp; readonly at: RegExp },
): FoundLine | undefined {
  const paths = sources.paths.filter((path) => file.test(path));
  for (let attempt = 0; attempt < 25; attempt++) {
    const path = drawOne(paths, random);
    const lines = path === undefined ? [] : (sources.text(path) ?? '').split('\n');
    const rows = lines.flatMap((line, row) => (at.test(line) ? [row] : []));
    const row = drawOne(rows, random);
    const match = row === undefined ? null : at.exec(lines[row] ?? '');
    if (path !== undefined && row !== undefined && match) return { path, lines, row, match };
  }
  return undefined;
}

export interface PlaceOptions {
  readonly file: RegExp;
  /** The name a renamed file gets. */
  readonly renamed: (name: string) => string;
  /** A file that is alone wrong. */
  readonly wrongText: (path: string, sources: Sources) => string;
}

/** Kinds that are about which files there are; the same for every language. */
export function placeKinds({ file, renamed, wrongText }: PlaceOptions): readonly ChangeKind[] {
  const moved = (place: (path: string) => string, verb: string): ChangeKind['draw'] => {
    return (sources, random) => {
      const path = drawPath(sources, random, file);
      if (path === undefined) return undefined;
      const to = place(path);
      const files: ChangedFile[] = [
        { path, after: undefined },
        { path: to, after: sources.text(path) ?? '' },
      ];
      return { kind: '', sentence: `${verb} ${path} to ${to}, its users not`, files };
    };
  };
  const beside = (path: string, name: string): string => posix.join(posix.dirname(path), name);
  return [
    {
      name: 'delete-file',
      draw: (sources, random) => oneFile(drawPath(sources, random, file), undefined, 'deletes'),
    },
    { name: 'rename-file', draw: moved((path) => beside(path, renamed(posix.basename(path))), 'renames') },
    { name: 'move-file', draw: moved((path) => beside(path, `brand_new/${posix.basename(path)}`), 'moves') },
    {
      name: 'create-with-error',
      draw: (sources, random) => {
        const path = drawPath(sources, random, file);
        if (path === undefined) return undefined;
        const at = beside(path, `created_${random.below(1000)}${posix.extname(path)}`);
        return oneFile(at, wrongText(path, sources), 'creates, with an error,');
      },
    },
    {
      name: 'truncate',
      draw: (sources, random) => {
        const path = drawPath(sources, random, file);
        const text = path === undefined ? '' : (sources.text(path) ?? '');
        const cut = drawOne([0.25, 0.5, 0.75], random) ?? 0.5;
        return oneFile(path, `${text.slice(0, Math.floor(text.length * cut))}\n`, `cuts at ${cut * 100} %`);
      },
    },
    {
      name: 'prose',
      draw: (sources, random) => {
        const path = drawPath(sources, random, /\.(md|rst|txt)$/);
        return oneFile(path, `${sources.text(path ?? '')}\nOne more sentence.\n`, 'adds a sentence to');
      },
    },
  ];
}

/** A change of a whole file; undefined where no file was drawn. */
export function oneFile(
  path: string | undefined,
  after: string | undefined,
  verb: string,
): Change | undefined {
  return path === undefined ? undefined : { kind: '', sentence: `${verb} ${path}`, files: [{ path, after }] };
}

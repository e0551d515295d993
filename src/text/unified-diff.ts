import { present } from '../base/present.ts';
import { applyHunks, type Hunk, type HunksApplied, makeHunks } from './hunk.ts';
import { PatchLines, readHunks } from './internal/hunk-reader.ts';
import {
  type PathPair,
  quotePath,
  readGitNames,
  readPath,
  stripPrefix,
  stripPrefixes,
} from './internal/patch-path.ts';
import { MalformedPatch } from './malformed-patch.ts';

/**
 * Patches as `git diff` and `diff -u` write them.
 *
 * Invariant: what is printed is read back the same (a created file without a mode as a regular one), and
 * `git apply` accepts it; nothing in a patch is passed over in silence except the prose between the files.
 */

/**
 * What a patch does to one file. A created file has no `oldPath`, a deleted one no `newPath`; modes are those
 * of git (0o100644, 0o100755, 0o120000) and stand only where the patch states them. The content of a binary
 * file is not kept.
 */
export interface FilePatch {
  readonly kind: 'modified' | 'created' | 'deleted' | 'renamed' | 'copied' | 'binary';
  readonly oldPath?: string;
  readonly newPath?: string;
  readonly oldMode?: number;
  readonly newMode?: number;
  readonly hunks: readonly Hunk[];
}

/** The files a patch touches, in its order. Prose before, between and after them is passed over. */
export function parseUnifiedDiff(text: string): FilePatch[] {
  const lines = new PatchLines(text);
  const patches: FilePatch[] = [];
  while (!lines.isDone) {
    const patch = readFilePatch(lines);
    if (patch) patches.push(patch);
    else lines.advance();
  }
  if (patches.length === 0 && text.trim() !== '') throw new MalformedPatch(1, 'there is no diff in it');
  return patches;
}

/** The patch as git prints it. */
export function printUnifiedDiff(patches: readonly FilePatch[]): string {
  return patches.map((patch) => [...headerLines(patch), ...patch.hunks.map(hunkText)].join('')).join('');
}

/**
 * The text after the patch; `text` is empty for a file it creates. A hunk that does not stand at its stated
 * place is looked for elsewhere; `offset` tells by how many lines the one that strayed furthest did.
 */
export function applyFilePatch(text: string, patch: FilePatch): HunksApplied {
  if (patch.kind === 'binary') {
    return { kind: 'rejected', hunk: 0, reason: 'the patch does not hold the content of this binary file' };
  }
  if (patch.kind === 'created' && text !== '') {
    return { kind: 'rejected', hunk: 0, reason: 'it creates a file that already has content' };
  }
  const applied = applyHunks(text, patch.hunks);
  if (patch.kind === 'deleted' && applied.kind === 'applied' && applied.text !== '') {
    return { kind: 'rejected', hunk: 0, reason: 'it deletes a file that holds more than the patch removes' };
  }
  return applied;
}

export interface FileVersions {
  readonly oldPath?: string;
  readonly newPath?: string;
  /** Undefined when the file does not exist before. */
  readonly before: string | undefined;
  /** Undefined when the file does not exist after. */
  readonly after: string | undefined;
  readonly oldMode?: number;
  readonly newMode?: number;
  /** Unchanged lines shown around each change; 3 unless told. */
  readonly context?: number;
}

/** The patch from one version of a file to the next; different paths make it a rename. */
export function makeFilePatch(versions: FileVersions): FilePatch {
  const { before, after, context = 3 } = versions;
  const oldPath = versions.oldPath ?? versions.newPath;
  const newPath = versions.newPath ?? versions.oldPath;
  const hunks = makeHunks(before ?? '', after ?? '', context);
  const { oldMode, newMode } = versions;
  if (before === undefined) return present({ kind: 'created', newPath, newMode, hunks });
  if (after === undefined) return present({ kind: 'deleted', oldPath, oldMode, hunks });
  const kind = oldPath === newPath ? 'modified' : 'renamed';
  return present({ kind, oldPath, newPath, oldMode, newMode, hunks });
}

/** Reads the file patch that begins at the current line; undefined when none does. */
function readFilePatch(lines: PatchLines): FilePatch | undefined {
  const line = lines.header();
  if (line.startsWith('diff --git ')) return readGitPatch(lines);
  if (/^diff --(?:cc|combined) /.test(line)) {
    throw new MalformedPatch(
      lines.number,
      'this is the combined diff of a merge',
      'Give a diff against one parent, such as `git diff HEAD^1 HEAD` prints it.',
    );
  }
  if (startsFileNames(lines) && lines.header(2).startsWith('@@')) return readPlainPatch(lines);
  if (line.startsWith('@@ -')) throw new MalformedPatch(lines.number, 'a hunk without the name of its file');
  const binary = BINARY.exec(line);
  if (!binary) return undefined;
  lines.advance();
  return binaryPatch(plainNames(binary[1] ?? '', binary[2] ?? ''));
}

const BINARY = /^Binary files (.+) and (.+) differ$/;

const NOWHERE = '/dev/null';

/** As diff names a side that it read from a pipe. */
const STANDARD_INPUT = '-';

function startsFileNames(lines: PatchLines): boolean {
  return lines.header().startsWith('--- ') && lines.header(1).startsWith('+++ ');
}

function readPlainPatch(lines: PatchLines): FilePatch {
  const names = plainNames(lines.header().slice(4), lines.header(1).slice(4));
  const hunks = readNamedHunks(lines);
  if (names.oldPath === undefined) return present({ kind: 'created', newPath: names.newPath, hunks });
  if (names.newPath === undefined) return present({ kind: 'deleted', oldPath: names.oldPath, hunks });
  return { kind: 'modified', oldPath: names.oldPath, newPath: names.newPath, hunks };
}

/** The hunks behind a `---` and a `+++` line. */
function readNamedHunks(lines: PatchLines): Hunk[] {
  const lineEnds = lines.raw(1)?.endsWith('\r') ? 'crlf' : 'lf';
  lines.advance(2);
  const hunks = readHunks(lines, lineEnds);
  if (hunks.length === 0)
    throw new MalformedPatch(lines.number, 'a hunk should follow the names of the file');
  return hunks;
}

/**
 * One file's names from headers that may carry timestamps. A missing side is /dev/null or dated at the epoch.
 * Different names are a file and its backup (`x.orig` and `x`); the shorter one is the file.
 */
function plainNames(oldHeader: string, newHeader: string): Partial<PathPair> {
  const oldPath = readPath(oldHeader)?.path ?? oldHeader;
  const newPath = readPath(newHeader)?.path ?? newHeader;
  if (oldPath === NOWHERE) return { newPath: stripPrefix(newPath) };
  if (newPath === NOWHERE) return { oldPath: stripPrefix(oldPath) };
  const bare = stripPrefixes({ oldPath, newPath });
  if (isEpoch(oldHeader)) return { newPath: bare.newPath };
  if (isEpoch(newHeader)) return { oldPath: bare.oldPath };
  const named = [bare.newPath, bare.oldPath].filter((path) => path !== STANDARD_INPUT);
  const [path = STANDARD_INPUT] = named.sort((one, other) => one.length - other.length);
  return { oldPath: path, newPath: path };
}

function isEpoch(header: string): boolean {
  const [, date, time, hours, minutes] =
    /\t(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.0+)? ([+-]\d\d):?(\d\d)$/.exec(header) ?? [];
  return Date.parse(`${date}T${time}${hours}:${minutes}`) === 0;
}

/** What the lines between `diff --git` and the first hunk say. */
interface GitHeader {
  kind?: FilePatch['kind'];
  oldPath?: string | undefined;
  newPath?: string | undefined;
  oldMode?: number;
  newMode?: number;
}

function readGitPatch(lines: PatchLines): FilePatch {
  const number = lines.number;
  const gitNames = readGitNames(lines.header().slice('diff --git '.length));
  lines.advance();
  const header: GitHeader = gitNames ? { ...stripPrefixes(gitNames) } : {};
  while (readExtendedHeader(lines.header(), header)) lines.advance();
  const hasNames = startsFileNames(lines);
  if (hasNames) completeHeader(header, plainNames(lines.header().slice(4), lines.header(1).slice(4)));
  const { kind = 'modified', oldPath, newPath, oldMode, newMode } = header;
  if (oldPath === undefined || newPath === undefined) {
    throw new MalformedPatch(number, 'the two names on this line cannot be told apart');
  }
  const isBinary = BINARY.test(lines.header()) || lines.header() === 'GIT binary patch';
  if (isBinary) lines.advance();
  const hunks = hasNames ? readNamedHunks(lines) : [];
  const names = {
    oldPath: kind === 'created' ? undefined : oldPath,
    newPath: kind === 'deleted' ? undefined : newPath,
  };
  return present({ kind: isBinary ? 'binary' : kind, ...names, oldMode, newMode, hunks });
}

/** Takes from the `---` and `+++` lines what the header does not say. */
function completeHeader(header: GitHeader, names: Partial<PathPair>): void {
  if (header.kind === undefined && names.oldPath === undefined) header.kind = 'created';
  if (header.kind === undefined && names.newPath === undefined) header.kind = 'deleted';
  header.oldPath ??= names.oldPath ?? names.newPath;
  header.newPath ??= names.newPath ?? names.oldPath;
}

/** Notes what one extended header line says; false when the line is none. */
function readExtendedHeader(line: string, header: GitHeader): boolean {
  const [, name, value = ''] =
    /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|similarity index|dissimilarity index|index) (.+)$/s.exec(
      line,
    ) ?? [];
  if (name === undefined) return false;
  const [action] = name.split(' ');
  if (name === 'new file mode') header.kind = 'created';
  if (name === 'deleted file mode') header.kind = 'deleted';
  if (action === 'rename') header.kind = 'renamed';
  if (action === 'copy') header.kind = 'copied';
  if (name === 'old mode' || name === 'deleted file mode') header.oldMode = Number.parseInt(value, 8);
  if (name === 'new mode' || name === 'new file mode') header.newMode = Number.parseInt(value, 8);
  if (name.endsWith(' from')) header.oldPath = readPath(value)?.path ?? value;
  if (name.endsWith(' to')) header.newPath = readPath(value)?.path ?? value;
  return true;
}

function binaryPatch({ oldPath, newPath }: Partial<PathPair>): FilePatch {
  return present({ kind: 'binary', oldPath, newPath, hunks: [] });
}

const REGULAR_FILE = 0o100644;

function headerLines(patch: FilePatch): string[] {
  const { kind, oldMode, newMode, hunks } = patch;
  const oldPath = patch.oldPath ?? patch.newPath ?? '';
  const newPath = patch.newPath ?? patch.oldPath ?? '';
  const oldName = quotePath(`a/${oldPath}`);
  const newName = quotePath(`b/${newPath}`);
  const oldSide = patch.oldPath === undefined ? NOWHERE : oldName;
  const newSide = patch.newPath === undefined ? NOWHERE : newName;
  const lines = [`diff --git ${oldName} ${newName}`];
  if (patch.oldPath === undefined) lines.push(`new file mode ${octal(newMode ?? REGULAR_FILE)}`);
  else if (patch.newPath === undefined) lines.push(`deleted file mode ${octal(oldMode ?? REGULAR_FILE)}`);
  else if (oldMode !== undefined && newMode !== undefined && oldMode !== newMode) {
    lines.push(`old mode ${octal(oldMode)}`, `new mode ${octal(newMode)}`);
  }
  if (oldPath !== newPath) {
    const verb = kind === 'copied' ? 'copy' : 'rename';
    lines.push(`${verb} from ${quotePath(oldPath)}`, `${verb} to ${quotePath(newPath)}`);
  }
  if (kind === 'binary') lines.push(`Binary files ${oldSide} and ${newSide} differ`);
  if (hunks.length > 0) lines.push(`--- ${closed(oldSide)}`, `+++ ${closed(newSide)}`);
  return lines.map((line) => `${line}\n`);
}

function octal(mode: number): string {
  return mode.toString(8).padStart(6, '0');
}

/** A name with a blank in it ends with a tab, so that readers do not look for a timestamp after the blank. */
function closed(name: string): string {
  return name.includes(' ') ? `${name}\t` : name;
}

function hunkText({ oldStart, oldCount, newStart, newCount, section, lines }: Hunk): string {
  const header = `@@ -${span(oldStart, oldCount)} +${span(newStart, newCount)} @@${section ? ` ${section}` : ''}\n`;
  return header + lines.map(({ kind, text }) => MARKS[kind] + closedLine(text)).join('');
}

const MARKS = { context: ' ', removed: '-', added: '+' } as const;

function span(start: number, count: number): string {
  return count === 1 ? String(start) : `${start},${count}`;
}

function closedLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n\\ No newline at end of file\n`;
}

/**
 * Looks for an expression in the files of the workspace as the buffers show them.
 *
 * Invariants: files come in the order of their paths. The walk leaves out what search tools leave out (the ignore files of
 * git too). A file that is too large or cannot be read is named, never passed over in silence. Other work of the process
 * goes on between two steps.
 */
import picomatch from 'picomatch';
import { Failure } from '../../base/failure.ts';
import type { Overlay } from '../../overlay/overlay.ts';
import { statOf } from '../../workspace/disk-state.ts';
import type { FileContent } from '../../workspace/file-content.ts';
import type { DirectoryEntry, FileSource } from '../../workspace/file-source.ts';
import { listFilesBelow } from '../../workspace/file-walk.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import type { BufferContent } from '../buffer.ts';
import { endingOf, type LineEnds } from '../line-ends.ts';
import type { SearchQuery } from '../protocol/search.ts';
import { largestTextBytes } from '../workspace-file.ts';
import type { TextMatch } from './expression-worker.ts';
import { SearchExpression } from './search-expression.ts';

/** A file with matches; `text` has a line feed at the end of each line, whatever the file has. */
export interface MatchedFile {
  readonly path: WorkspacePath;
  readonly content: BufferContent;
  readonly text: string;
  readonly lineEnds: LineEnds;
  readonly matches: readonly TextMatch[];
}

/** What one step of a search looked at. */
export interface SearchStep {
  readonly files: readonly MatchedFile[];
  readonly searched: number;
  readonly skipped: readonly WorkspacePath[];
}

export interface SearchedPlace {
  readonly workspace: Workspace;
  readonly overlay: Overlay;
}

const stepFiles = 64;
const stepCharacters = 1_000_000;

export async function* searchWorkspace(
  place: SearchedPlace,
  query: SearchQuery,
  limits: { readonly matchesPerFile: number },
  signal: AbortSignal,
): AsyncGenerator<SearchStep> {
  await using expression = new SearchExpression(query);
  const isWanted = filterOf(query);
  const files = new ReadableFiles(place.overlay);
  const walked = { workspace: place.workspace, source: files, from: rootPath };
  const paths = (await listFilesBelow(walked, { rule: 'unignored' }, signal)).filter(isWanted);
  for (const rest = paths.values(); ; ) {
    signal.throwIfAborted();
    const step = await readStep(place, files, rest);
    const unread = files.takeUnread();
    if (step.looked === 0 && unread.length === 0) return;
    const found = await expression.matchesIn(
      step.texts.map(({ text }) => text),
      limits.matchesPerFile,
      signal,
    );
    yield {
      files: step.texts.flatMap((file, index) => {
        const matches = found[index] ?? [];
        return matches.length > 0 ? [{ ...file, matches }] : [];
      }),
      searched: step.texts.length,
      skipped: [...step.large, ...unread],
    };
  }
}

type ReadText = Omit<MatchedFile, 'matches'>;

async function readStep(
  { workspace, overlay }: SearchedPlace,
  files: ReadableFiles,
  rest: Iterator<WorkspacePath>,
): Promise<{
  readonly looked: number;
  readonly texts: readonly ReadText[];
  readonly large: readonly WorkspacePath[];
}> {
  const texts: ReadText[] = [];
  const large: WorkspacePath[] = [];
  let [looked, characters] = [0, 0];
  while (looked < stepFiles && characters < stepCharacters) {
    const { value: path, done } = rest.next();
    if (done) break;
    looked += 1;
    const bytes = overlay.has(path) ? 0 : (statOf(workspace.absolute(path))?.size ?? 0);
    if (bytes > largestTextBytes) {
      large.push(path);
      continue;
    }
    const content = await files.read(path);
    if (content?.kind !== 'text') continue;
    const lineEnds = endingOf(content.text);
    const text = lineEnds === 'crlf' ? content.text.replaceAll('\r\n', '\n') : content.text;
    characters += text.length;
    texts.push({ path, content, text, lineEnds });
  }
  return { looked, texts, large };
}

/** A source in which what cannot be read is empty, and noted. */
class ReadableFiles implements FileSource {
  readonly #source: FileSource;
  #unread: WorkspacePath[] = [];

  constructor(source: FileSource) {
    this.#source = source;
  }

  read(path: WorkspacePath): Promise<FileContent | undefined> {
    return this.#leniently(path, () => this.#source.read(path), undefined);
  }

  list(directory: WorkspacePath): Promise<readonly DirectoryEntry[]> {
    return this.#leniently(directory, () => this.#source.list(directory), []);
  }

  /** What could not be read since the last call. */
  takeUnread(): readonly WorkspacePath[] {
    const unread = this.#unread;
    this.#unread = [];
    return unread;
  }

  async #leniently<T>(path: WorkspacePath, look: () => Promise<T>, instead: T): Promise<T> {
    try {
      return await look();
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== 'workspace/unreadable') throw thrown;
      this.#unread.push(path);
      return instead;
    }
  }
}

function filterOf({ include, exclude }: SearchQuery): (path: WorkspacePath) => boolean {
  const [isIncluded, isExcluded] = [matcherOf(include), matcherOf(exclude)];
  return (path) => (include.length === 0 || isIncluded(path)) && !isExcluded(path);
}

/** A glob names files, or directories with all that is in them. */
function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.flatMap((glob) => {
    const bare = glob.replace(/^\.?\//, '').replace(/\/$/, '');
    const anywhere = bare.includes('/') ? bare : `**/${bare}`;
    return [anywhere, `${anywhere}/**`];
  });
  return patterns.length === 0 ? () => false : picomatch(patterns, { dot: true });
}

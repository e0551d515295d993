/**
 * The text of one open file, which several pages and the back end change.
 *
 * Invariants: the version grows by one with every change, and a change is accepted only on the current version, so all
 * who know a version know the same text. The updates of the last versions are kept for pages that are behind. A buffer
 * knows the disk content it was made on; it never writes to the disk.
 */
import { ChangeSet, Text } from '@codemirror/state';
import { diffText } from '../text/diff.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { InvalidUpdate } from './editor-failure.ts';
import { endingOf, joinLines, type LineEnds, splitLines } from './line-ends.ts';

/** The content of a file that can be edited. */
export type BufferContent = FileContent & { readonly kind: 'text' };

export interface BufferUpdate {
  /** The page that made it, or `forerun`. */
  readonly client: string;
  readonly changes: ChangeSet;
  /** The name of the edit of several files that it belongs to. */
  readonly step?: string;
}

/** What the disk holds as far as the buffer has heard: nothing where the file was deleted. */
export type DiskSide = BufferContent | 'absent' | 'not text';

/** How many updates are kept; a page that is further behind is given the text. */
const keptUpdates = 2000;

export class EditorBuffer {
  #path: WorkspacePath;
  /** The pages that show it. */
  readonly pages = new Set<string>();
  /** Why it cannot be edited. */
  readonly readOnly: string | undefined;
  readonly #updates: BufferUpdate[] = [];
  #lineEnds: LineEnds;
  #text: Text;
  #version = 0;
  /** The disk content that the text was made on. */
  #base: BufferContent;
  #baseText: Text;
  /** What the disk holds now; differs from the base in a conflict. */
  #disk: DiskSide;
  #content: { readonly version: number; readonly content: BufferContent } | undefined;

  constructor(path: WorkspacePath, content: BufferContent, options: { readonly readOnly?: string } = {}) {
    this.#path = path;
    this.readOnly = options.readOnly;
    this.#lineEnds = endingOf(content.text);
    this.#base = content;
    this.#disk = content;
    this.#text = Text.of(splitLines(content.text, this.#lineEnds));
    this.#baseText = this.#text;
  }

  get path(): WorkspacePath {
    return this.#path;
  }

  get version(): number {
    return this.#version;
  }

  get lineEnds(): LineEnds {
    return this.#lineEnds;
  }

  get text(): Text {
    return this.#text;
  }

  /** The disk content that the text was made on. */
  get base(): BufferContent {
    return this.#base;
  }

  get disk(): DiskSide {
    return this.#disk;
  }

  get isUnsaved(): boolean {
    return !this.#text.eq(this.#baseText);
  }

  get conflict(): 'none' | 'changed' | 'deleted' {
    if (this.#disk === this.#base) return 'none';
    return this.#disk === 'absent' ? 'deleted' : 'changed';
  }

  /** The text as the file would hold it. */
  get content(): BufferContent {
    if (this.#content?.version !== this.#version) {
      const text = joinLines(this.#text, this.#lineEnds);
      this.#content = { version: this.#version, content: { ...this.#base, text } };
    }
    return this.#content.content;
  }

  /** Takes the changes of a page; `behind` if they were made on an older version. */
  push(version: number, updates: readonly BufferUpdate[]): 'accepted' | 'behind' {
    if (version !== this.#version) return 'behind';
    let text = this.#text;
    for (const { changes } of updates) {
      if (changes.length !== text.length)
        throw new InvalidUpdate(this.path, 'its length is not that of the text');
      checkLines(this.path, changes, this.#lineEnds);
      text = changes.apply(text);
    }
    this.#text = text;
    this.#version += updates.length;
    this.#updates.push(...updates);
    if (this.#updates.length > keptUpdates) this.#updates.splice(0, this.#updates.length - keptUpdates);
    return 'accepted';
  }

  /** The updates after a version; undefined if some are no longer kept. */
  since(version: number): readonly BufferUpdate[] | undefined {
    const missed = this.#version - version;
    if (missed < 0 || missed > this.#updates.length) return undefined;
    return this.#updates.slice(this.#updates.length - missed);
  }

  /** The smallest change that makes the text that of a file; undefined if it is already. */
  changesTo(text: string): ChangeSet | undefined {
    const before = this.#text.toString();
    // An edit may come with other line ends than the file has.
    const after = (this.#lineEnds === 'mixed' ? splitLines(text, 'mixed') : text.split(/\r\n?|\n/)).join(
      '\n',
    );
    if (before === after) return undefined;
    const changes = diffText(before, after).map(({ start, end, text: insert }) => ({
      from: start,
      to: end,
      insert: Text.of(insert.split('\n')),
    }));
    return ChangeSet.of(changes, before.length);
  }

  /** The file has another name now. */
  movedTo(path: WorkspacePath): this {
    this.#path = path;
    return this;
  }

  /** The text has reached the disk. */
  saved(content: BufferContent): void {
    this.#rebase(content);
  }

  /**
   * What the disk holds has changed. A clean buffer should take it over; otherwise the text stays, and `state` says that
   * its relation to the disk is another one.
   */
  diskChanged(disk: DiskSide): 'nothing' | 'take over' | 'state' {
    if (typeof disk === 'object' && sameText(disk, this.#base)) {
      if (this.#disk === this.#base) return 'nothing';
      this.#disk = this.#base;
      return 'state';
    }
    if (typeof disk === 'object' && disk.text === this.content.text) {
      this.#rebase(disk);
      return 'state';
    }
    if (typeof disk === 'object' && !this.isUnsaved) return 'take over';
    const isKnown =
      typeof disk === 'object'
        ? typeof this.#disk === 'object' && sameText(disk, this.#disk)
        : disk === this.#disk;
    if (isKnown) return 'nothing';
    this.#disk = disk;
    return 'state';
  }

  /** Makes the text that of the disk; the update, if the text was another. */
  takeOver(disk: BufferContent, client: string): BufferUpdate | undefined {
    this.#lineEnds = endingOf(disk.text);
    const changes = this.changesTo(disk.text);
    const update = changes && { client, changes };
    if (update) this.push(this.#version, [update]);
    this.#rebase(disk);
    return update;
  }

  /** The text now rests on this content of the disk. */
  #rebase(content: BufferContent): void {
    this.#base = content;
    this.#disk = content;
    this.#baseText = Text.of(splitLines(content.text, this.#lineEnds));
    this.#content = undefined;
  }
}

function sameText(one: BufferContent, other: BufferContent): boolean {
  return one.text === other.text && (one.bom === true) === (other.bom === true);
}

/** A line that holds a line end would be two lines on disk, and positions would mean different places. */
function checkLines(path: WorkspacePath, changes: ChangeSet, lineEnds: LineEnds): void {
  const forbidden = lineEnds === 'mixed' ? /\n/ : /[\n\r]/;
  changes.iterChanges((_fromA, _toA, _fromB, _toB, inserted) => {
    for (const line of inserted.iterLines()) {
      if (forbidden.test(line)) throw new InvalidUpdate(path, 'a line of it holds a line end');
    }
  });
}

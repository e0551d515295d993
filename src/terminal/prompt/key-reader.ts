/**
 * Parses keys from terminal input.
 *
 * Invariant: the keys do not depend on how the input is split into pieces; pasted text is never read as keys; an
 * unknown escape sequence is one key without meaning, and no part of it becomes text.
 *
 * A lone Escape looks like the beginning of a sequence: the caller reports with `flush` that nothing followed.
 * `flush` also ends a paste without an end mark, as do a single Ctrl+C and excessive length; the text received until
 * then is still pasted, not typed.
 */
import type { Key, KeyName } from './key.ts';

export class KeyReader {
  #buffer = '';
  /** The current paste. */
  #paste: Paste | undefined;

  read(chunk: string): readonly Key[] {
    const keys: Key[] = [];
    if (this.#paste && chunk === interrupt) keys.push(...this.#endPaste());
    this.#buffer += chunk;
    while (this.#buffer !== '') {
      if (this.#paste) {
        const rest = this.#paste.take(this.#buffer);
        this.#buffer = rest ?? '';
        if (rest === undefined && !this.#paste.isTooLong) break;
        keys.push(...this.#endPaste());
        continue;
      }
      const found = nextKey(this.#buffer);
      if (!found) break;
      this.#buffer = this.#buffer.slice(found.length);
      if (found.key === 'paste-begins') this.#paste = new Paste();
      else keys.push(found.key);
    }
    return keys;
  }

  /** The kind of incomplete input: an escape sequence or a paste; undefined if there is none. */
  get waitsFor(): 'sequence' | 'paste' | undefined {
    if (this.#paste) return 'paste';
    return this.#buffer === '' ? undefined : 'sequence';
  }

  /** Completes pending input: nothing more follows. */
  flush(): readonly Key[] {
    if (this.#paste) return this.#endPaste();
    if (this.#buffer === '') return [];
    const kind = this.#buffer === introducer ? 'escape' : 'other';
    this.#buffer = '';
    return [{ kind }];
  }

  #endPaste(): readonly Key[] {
    const text = this.#paste?.text() ?? '';
    this.#paste = undefined;
    return [{ kind: 'paste', text }];
  }
}

/** Collects pasted text. Each piece is searched once, together with the last characters before it. */
class Paste {
  readonly #pieces: string[] = [];
  /** The end of the received text, in which the end mark may have begun. */
  #tail = '';
  #length = 0;

  get isTooLong(): boolean {
    return this.#length > longestPaste;
  }

  /** The input after the paste; undefined while it continues. */
  take(chunk: string): string | undefined {
    const searched = this.#tail + chunk;
    this.#length += chunk.length;
    const end = searched.indexOf(pasteEnd);
    if (end >= 0) {
      this.#pieces.push(searched.slice(0, end));
      this.#tail = '';
      return searched.slice(end + pasteEnd.length);
    }
    const kept = Math.max(0, searched.length - (pasteEnd.length - 1));
    this.#pieces.push(searched.slice(0, kept));
    this.#tail = searched.slice(kept);
    return undefined;
  }

  text(): string {
    return [...this.#pieces, this.#tail].join('').replace(/\r\n?/g, '\n');
  }
}

/** Far more than a user pastes into a prompt. */
const longestPaste = 16 * 1024 * 1024;

const interrupt = '\u0003';

/** The first character of every sequence, and what the Escape key sends. */
const introducer = '\u001b';
const pasteBegin = `${introducer}[200~`;
const pasteEnd = `${introducer}[201~`;

interface Found {
  readonly key: Key | 'paste-begins';
  readonly length: number;
}

/** The first key of the buffer; undefined if it is empty or incomplete. */
function nextKey(buffer: string): Found | undefined {
  if (buffer === '') return undefined;
  if (buffer.startsWith(introducer)) return sequenceKey(buffer);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const [text = ''] = /^[^\u0000-\u001f\u007f]+/.exec(buffer) ?? [];
  if (text !== '') return { key: { kind: 'text', text }, length: text.length };
  const [control = ''] = buffer;
  return { key: { kind: controls.get(control) ?? 'other' }, length: 1 };
}

function sequenceKey(buffer: string): Found | undefined {
  if (buffer.startsWith(pasteBegin)) return { key: 'paste-begins', length: pasteBegin.length };
  const rest = buffer.slice(1);
  const [sequence] = /^\[[0-?]*[ -/]*[@-~]/.exec(rest) ?? /^O[ -~]/.exec(rest) ?? /^[^[O]/su.exec(rest) ?? [];
  if (sequence === undefined) return undefined;
  // Escape twice: the first one stands alone.
  if (sequence === introducer) return { key: { kind: 'escape' }, length: 1 };
  return { key: { kind: sequences.get(sequence) ?? 'other' }, length: 1 + sequence.length };
}

const controls: ReadonlyMap<string, KeyName> = new Map([
  ['\r', 'enter'],
  ['\n', 'newline'],
  ['\t', 'tab'],
  ['\u007f', 'backspace'],
  ['\b', 'backspace'],
  ['\u0001', 'home'],
  ['\u0002', 'left'],
  ['\u0003', 'interrupt'],
  ['\u0004', 'end-of-input'],
  ['\u0005', 'end'],
  ['\u0006', 'right'],
  ['\u000b', 'erase-after'],
  ['\u000c', 'clear-screen'],
  ['\u000e', 'down'],
  ['\u000f', 'toggle-output'],
  ['\u0010', 'up'],
  ['\u0015', 'erase-before'],
  ['\u0017', 'erase-word'],
]);

/** Without the leading Escape. */
const sequences: ReadonlyMap<string, KeyName> = new Map([
  ['\r', 'newline'],
  ['\n', 'newline'],
  ['[13;2u', 'newline'],
  ['[13;3u', 'newline'],
  ['[27;2;13~', 'newline'],
  ['[27;3;13~', 'newline'],
  ['[13u', 'enter'],
  ['[27u', 'escape'],
  ['[9u', 'tab'],
  ['[A', 'up'],
  ['[B', 'down'],
  ['[C', 'right'],
  ['[D', 'left'],
  ['OA', 'up'],
  ['OB', 'down'],
  ['OC', 'right'],
  ['OD', 'left'],
  ['[H', 'home'],
  ['[F', 'end'],
  ['OH', 'home'],
  ['OF', 'end'],
  ['[1~', 'home'],
  ['[4~', 'end'],
  ['[7~', 'home'],
  ['[8~', 'end'],
  ['[3~', 'delete'],
  ['[1;5C', 'word-right'],
  ['[1;5D', 'word-left'],
  ['[1;3C', 'word-right'],
  ['[1;3D', 'word-left'],
  ['f', 'word-right'],
  ['b', 'word-left'],
  ['\u007f', 'erase-word'],
  ['\b', 'erase-word'],
]);

/**
 * Reads keys from what a terminal sends.
 *
 * Invariant: however the input is cut into pieces, the keys are the same; what was pasted is never taken for keys; a
 * sequence nobody knows is one key that means nothing, and none of it becomes text.
 *
 * A lone Escape cannot be told from the beginning of a sequence: the caller says with `flush` that nothing followed. The
 * same ends a paste whose closing mark never came, and so do Ctrl+C by itself and a length beyond all pastes; what had
 * come by then is still pasted, not typed.
 */
import type { Key, KeyName } from './key.ts';

export class KeyReader {
  #buffer = '';
  /** The paste under way. */
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

  /** What more may come of: a sequence that has begun, or a paste; undefined where nothing is outstanding. */
  get waitsFor(): 'sequence' | 'paste' | undefined {
    if (this.#paste) return 'paste';
    return this.#buffer === '' ? undefined : 'sequence';
  }

  /** What has come is all there is. */
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

/** Collects what is pasted. Each piece is searched once, with the last few characters before it. */
class Paste {
  readonly #pieces: string[] = [];
  /** The end of what has come, as far as the closing mark may have begun in it. */
  #tail = '';
  #length = 0;

  get isTooLong(): boolean {
    return this.#length > longestPaste;
  }

  /** What follows the paste; undefined while it goes on. */
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

/** Far more than anybody pastes into a prompt. */
const longestPaste = 16 * 1024 * 1024;

const interrupt = '\u0003';

/** What every sequence begins with, and what the Escape key sends alone. */
const introducer = '\u001b';
const pasteBegin = `${introducer}[200~`;
const pasteEnd = `${introducer}[201~`;

interface Found {
  readonly key: Key | 'paste-begins';
  readonly length: number;
}

/** The first key of the buffer; undefined where it is empty or may go on. */
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
  // Escape, then Escape again: the first stands alone.
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

/** Without the Escape they begin with. */
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

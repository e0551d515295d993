/**
 * The head of a loop over lines: `read` with `-r`, `-d ''` and an `IFS` of its own.
 *
 * Invariant: only the input is read, and only plain names are set.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import type { Assignment, LineReading, ShellCommand, ShellWord } from './shell-list.ts';

export function readHead(command: ShellCommand): LineReading | ShellBoundary {
  const { argv, assignments, input, redirects, at } = command;
  const refuse = (): ShellBoundary => boundary('keyword', at, 'only `while read -r name` is read');
  const [name, ...rest] = argv;
  const [separator, ...others] = assignments;
  if (name?.text !== 'read' || others.length > 0 || input || redirects.length > 0) return refuse();
  const separators = separator === undefined ? ' \t\n' : separatorsOf(separator);
  const options = readOptions(rest);
  if (separators === undefined || options === undefined) return refuse();
  const names = rest.slice(options.count);
  const isPlain = names.every(({ bare, pattern, parts, text }) => {
    return bare && !pattern && !parts && /^[A-Za-z_]\w*$/.test(text);
  });
  if (!isPlain || names.length === 0) return refuse();
  return { names: names.map(({ text }) => text), separators, raw: options.raw, end: options.end };
}

/** The characters that an `IFS=` gives; undefined if it is not one, or not literal. */
function separatorsOf({ name, value }: Assignment): string | undefined {
  return name === 'IFS' && !value.parts && !value.pattern ? value.text : undefined;
}

interface ReadOptions extends Pick<LineReading, 'raw' | 'end'> {
  /** The number of words. */
  readonly count: number;
}

function readOptions(words: readonly ShellWord[]): ReadOptions | undefined {
  let [count, raw] = [0, false];
  let end: LineReading['end'] = '\n';
  for (let word = words[0]; word?.text.startsWith('-'); word = words[count]) {
    if (!word.bare || word.parts || !/^-(r|d|rd)$/.test(word.text)) return undefined;
    raw ||= word.text.includes('r');
    count += 1;
    if (!word.text.includes('d')) continue;
    const delimiter = words[count];
    if (delimiter === undefined || delimiter.text !== '' || delimiter.parts) return undefined;
    end = '\0';
    count += 1;
  }
  return { count, raw, end };
}

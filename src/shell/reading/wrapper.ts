/**
 * Commands that only start another one: `timeout 5 CMD`, `command CMD`, `stdbuf -oL CMD`, `nice CMD`, `env LC_ALL=C CMD`.
 *
 * Invariant: a wrapper with any other option or variable is not taken off, so that it is refused by its own name.
 */
import type { ShellWord } from '../syntax/shell-list.ts';
import { isPresentation } from './variable-scope.ts';

/** The command inside all wrappers; a run has its own deadline and priority. */
export function unwrapped(argv: readonly ShellWord[]): readonly ShellWord[] {
  return unwrap(argv).argv;
}

/** The variables that wrappers set for the command inside them. */
export function wrappedVariables(argv: readonly ShellWord[]): Readonly<Record<string, string>> {
  return unwrap(argv).variables;
}

interface Unwrapped {
  readonly argv: readonly ShellWord[];
  readonly variables: Readonly<Record<string, string>>;
}

function unwrap(argv: readonly ShellWord[]): Unwrapped {
  const texts = argv.map(({ text, opaque, pattern, provided }) =>
    opaque || pattern || provided ? '' : text,
  );
  const [name = ''] = texts;
  const count = Object.hasOwn(wrappers, name) ? (wrappers[name]?.(texts) ?? 0) : 0;
  // The command inside must be there, and be named.
  if (count === 0 || !texts[count] || texts[count]?.startsWith('-')) return { argv, variables: {} };
  const inner = unwrap(argv.slice(count));
  const own = name === 'env' ? Object.fromEntries(texts.slice(1, count).map(splitVariable)) : {};
  return { argv: inner.argv, variables: { ...own, ...inner.variables } };
}

function splitVariable(word: string): readonly [string, string] {
  const equals = word.indexOf('=');
  return [word.slice(0, equals), word.slice(equals + 1)];
}

/** The number of words before the command inside; 0 if this is not a form that is taken off. */
const wrappers: Readonly<Record<string, (words: readonly string[]) => number>> = {
  timeout: timeoutWords,
  command: ([, first]) => (first && !first.startsWith('-') ? 1 : 0),
  stdbuf: (words) => {
    const end = words.findIndex((word, index) => index > 0 && !/^-[ioe][L0]$/.test(word));
    return end > 1 ? end : 0;
  },
  nice: ([, first, second]) => {
    if (first === '-n' && /^\d{1,2}$/.test(second ?? '')) return 3;
    return first && !first.startsWith('-') ? 1 : 0;
  },
  env: (words) => {
    const end = words.findIndex((word, index) => index > 0 && !isVariable(word));
    return end > 1 ? end : 0;
  },
};

function isVariable(word: string): boolean {
  return /^[A-Za-z_]\w*=/.test(word) && isPresentation(...splitVariable(word));
}

function timeoutWords(words: readonly string[]): number {
  const isDuration = (word: string | undefined): boolean => /^\d+(\.\d+)?[smh]?$/.test(word ?? '');
  let at = 1;
  for (; words[at]?.startsWith('-'); at++) {
    if (/^--(preserve-status|foreground)$/.test(words[at] ?? '')) continue;
    if (/^--kill-after=\d+[smh]?$/.test(words[at] ?? '')) continue;
    if (words[at] !== '-k' || !isDuration(words[at + 1])) return 0;
    at += 1;
  }
  return isDuration(words[at]) ? at + 1 : 0;
}

/** How a file is indented, as its own lines show. */
import type { Text } from '@codemirror/state';

export interface Indentation {
  readonly unit: string;
  readonly size: number;
  /** `Spaces: 2`. */
  readonly words: string;
}

const looked = 500;

export function indentationOf(text: Text): Indentation {
  let tabs = 0;
  const steps = new Map<number, number>();
  let before = 0;
  for (let number = 1; number <= Math.min(text.lines, looked); number++) {
    const [blank = ''] = /^[ \t]*/.exec(text.line(number).text.slice(0, 200)) ?? [];
    if (blank.startsWith('\t')) tabs += 1;
    if (blank.includes('\t') || blank.length === text.line(number).length) continue;
    const step = blank.length - before;
    before = blank.length;
    if (step >= 2 && step <= 8) steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const [size = 2, times = 0] = [...steps].sort(([, a], [, b]) => b - a)[0] ?? [];
  if (tabs > times) return { unit: '\t', size: 4, words: 'Tabs' };
  return { unit: ' '.repeat(size), size, words: `Spaces: ${size}` };
}

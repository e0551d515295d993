/**
 * Colours for terminals.
 *
 * Invariant: a palette without colour returns every text unchanged.
 */
export interface Palette {
  error(text: string): string;
  warning(text: string): string;
  good(text: string): string;
  faint(text: string): string;
  strong(text: string): string;
}

export type ColorChoice = 'auto' | 'always' | 'never';

export function paletteFor(
  choice: ColorChoice,
  stream: { readonly isTTY?: boolean },
  env: NodeJS.ProcessEnv,
): Palette {
  // NO_COLOR applies if it is set and not empty.
  const isWanted = choice === 'always' || (choice === 'auto' && stream.isTTY === true && !env.NO_COLOR);
  return isWanted ? coloured : plain;
}

const coloured: Palette = {
  error: (text) => `\u001b[31m${text}\u001b[39m`,
  warning: (text) => `\u001b[33m${text}\u001b[39m`,
  good: (text) => `\u001b[32m${text}\u001b[39m`,
  faint: (text) => `\u001b[2m${text}\u001b[22m`,
  strong: (text) => `\u001b[1m${text}\u001b[22m`,
};

export const plain: Palette = {
  error: (text) => text,
  warning: (text) => text,
  good: (text) => text,
  faint: (text) => text,
  strong: (text) => text,
};

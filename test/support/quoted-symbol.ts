import type { CodeSymbol } from '../../src/code/symbol.ts';
import { LineIndex } from '../../src/text/position.ts';

/** A symbol by the stretch of text a server gives as its range, for tests of what is done with it. */
export function quotedSymbol(
  text: string,
  { name, range, kind = 12 }: { readonly name: string; readonly range: string; readonly kind?: number },
): CodeSymbol {
  const index = new LineIndex(text);
  const start = text.indexOf(range);
  if (start < 0) throw new Error(`there is no ${JSON.stringify(range)} in the text`);
  const named = new RegExp(`(?<![\\w$])${name.replace(/[^\w]/g, '\\$&')}(?![\\w$])`).exec(range);
  const at = start + (named?.index ?? 0);
  const between = (from: number, to: number) => ({
    start: index.positionAt(from),
    end: index.positionAt(to),
  });
  return {
    name,
    kind,
    range: between(start, start + range.length),
    selectionRange: between(at, at + name.length),
    children: [],
  };
}

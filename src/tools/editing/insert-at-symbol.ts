/** Inserts code before or after a symbol, with the symbol's indentation. */
import { z } from 'zod';
import { indentationOf, reindent } from '../../code/indentation.ts';
import type { CodeSymbol } from '../../code/symbol.ts';
import { endBehind, lineAbove } from '../../code/symbol-extent.ts';
import { withEndingsOf } from '../../text/line-ending.ts';
import { LineIndex } from '../../text/position.ts';
import { word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import { editAtSymbol, type FoundSymbols, symbolInput } from './symbol-edit.ts';

const input = z.object({ ...symbolInput, code: word('The code to insert.') });

export const insertAfterSymbol: Tool = insertTool({
  name: 'insert_after_symbol',
  title: 'Insert After Symbol',
  side: 'after',
  description:
    'Insert code on the lines after a symbol given by its path, with its indentation. Writes the file and reports the errors left in it.',
});

export const insertBeforeSymbol: Tool = insertTool({
  name: 'insert_before_symbol',
  title: 'Insert Before Symbol',
  side: 'before',
  description:
    'Insert code on the lines before a symbol given by its path, above its comments and decorators. Writes the file and reports the errors left in it.',
});

interface InsertTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly side: 'after' | 'before';
}

function insertTool({ side, ...named }: InsertTool): Tool {
  return defineTool({
    ...named,
    effect: 'disk',
    destructive: false,
    input,
    handle(context, given, signal) {
      return editAtSymbol(
        context,
        {
          input: given,
          edit: (found) => inserted(found, given.code, side),
          sentence: (path) => `Inserted code ${side} "${given.symbol_path}" in ${path}`,
          advice: 'fix the remaining errors, or call undo_last_commit.',
        },
        signal,
      );
    },
  });
}

function inserted({ file, symbols, syntax }: FoundSymbols, code: string, side: 'after' | 'before'): string {
  // After overloads means after the last one; before them means above the first one.
  const symbol = side === 'after' ? lastOfRun(symbols) : symbols[0];
  const index = new LineIndex(file.text);
  const indentation = indentationOf(index.lineText(symbol.range.start.line));
  const block = withEndingsOf(reindent(code.replace(/\r?\n$/, ''), indentation, syntax), file.text);
  const newline = withEndingsOf('\n', file.text);
  const at =
    side === 'after' ? endBehind(index, symbol, syntax) : index.lineStart(lineAbove(index, symbol, syntax));
  const text = side === 'after' ? newline + block : block + newline;
  return file.text.slice(0, at) + text + file.text.slice(at);
}

/** The last of several adjacent symbols, such as overloads. */
function lastOfRun(symbols: FoundSymbols['symbols']): CodeSymbol {
  let last: CodeSymbol = symbols[0];
  for (const next of symbols.slice(1)) {
    if (next.range.start.line > last.range.end.line + 1) break;
    last = next;
  }
  return last;
}

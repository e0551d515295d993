/** Replaces the body of a function, method or type. */
import { z } from 'zod';
import { hasBody, replaceBody } from '../../code/symbol-body.ts';
import { word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import { editAtSymbol, symbolInput } from './symbol-edit.ts';

export const replaceSymbolBody: Tool = defineTool({
  name: 'replace_symbol_body',
  title: 'Replace Symbol Body',
  effect: 'disk',
  description:
    'Replace the body of a symbol given by its path and keep its signature; a new_body that declares the symbol again replaces the whole definition. Writes the file and reports the errors left in it.',
  input: z.object({
    ...symbolInput,
    new_body: word('The new body without its delimiters, or the complete new definition.'),
  }),
  handle(context, input, signal) {
    const { symbol_path, new_body } = input;
    return editAtSymbol(
      context,
      {
        input,
        edit({ file, symbols, syntax }) {
          // Of overloads, the one with a body is replaced.
          const symbol = symbols.find((each) => hasBody(file.text, each, syntax)) ?? symbols[0];
          return replaceBody(file.text, symbol, new_body, syntax);
        },
        sentence: (path) => `Replaced body of "${symbol_path}" in ${path}`,
        advice: 'fix the remaining errors, or call undo_last_commit.',
      },
      signal,
    );
  },
});

/**
 * Edits that address a symbol by name instead of position.
 *
 * Invariant: the edited text is the one in which the symbol was found.
 */
import { type CodeSyntax, syntaxOf } from '../../code/code-syntax.ts';
import { type CodeSymbol, documentSymbols } from '../../code/symbol.ts';
import { bareName } from '../../code/symbol-name.ts';
import { lastName, resolveSymbolPath } from '../../code/symbol-path.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { editText } from '../../overlay/overlay.ts';
import { InvalidArgument } from '../failure.ts';
import { searchSymbols } from '../navigation/symbol-search.ts';
import { word } from '../parameter.ts';
import { inFile, type ReadyQuery } from '../read-file-tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { type ToolResult, textResult } from '../tool-result.ts';
import { type DiskFile, diskFile } from './disk-file.ts';
import { landEdit } from './landed-edit.ts';

/** The parameters of all tools that edit at a symbol. */
export const symbolInput = {
  file_path: word(
    'Absolute path of the file; absent: the only file of the workspace that declares the symbol.',
  ).optional(),
  symbol_path: word(
    'Names from the outermost inwards, e.g. Type.method; name[1] is the second symbol of that name. See list_symbols.',
  ),
  language_id: word('Language of a file whose name does not show it.').optional(),
};

interface SymbolInput {
  readonly file_path?: string | undefined;
  readonly symbol_path: string;
  readonly language_id?: string | undefined;
}

export interface FoundSymbols {
  readonly query: ReadyQuery;
  readonly view: WorkspaceView;
  readonly file: DiskFile;
  /** All symbols that match the path, best match first. */
  readonly symbols: readonly [CodeSymbol, ...CodeSymbol[]];
  readonly syntax: CodeSyntax;
}

export interface SymbolEdit {
  readonly input: SymbolInput;
  /** The text of the file after the edit. */
  readonly edit: (found: FoundSymbols) => string | Promise<string>;
  /** A sentence about the change, with the absolute path of the file. */
  readonly sentence: (file: string) => string;
  readonly advice: string;
}

/** Finds the symbol, edits and writes its file, and reports the diagnostics. */
export async function editAtSymbol(
  context: ToolContext,
  { input, edit, sentence, advice }: SymbolEdit,
  signal: AbortSignal,
): Promise<ToolResult> {
  const file_path = input.file_path ?? (await declaringFile(context, input.symbol_path, signal));
  const place = { file_path, language_id: input.language_id };
  const { view, overlay, path } = await inFile(context, place, signal, async (query, at, opened) => {
    const file = await diskFile(query, at, opened);
    const symbols = resolveSymbolPath(await documentSymbols(query, at, signal), input.symbol_path);
    const syntax = syntaxOf(opened.live.languageFor(at));
    const text = await edit({ query, view: opened, file, symbols, syntax });
    return { view: opened, path: at, overlay: await editText(file.overlay, at, () => text) };
  });
  const { extras } = await landEdit(context, { view, overlay, advice }, signal);
  return textResult(sentence(view.workspace.absolute(path)), extras);
}

/** The only file that declares a symbol of this name. More than one is an error. */
async function declaringFile(context: ToolContext, symbolPath: string, signal: AbortSignal): Promise<string> {
  const name = lastName(symbolPath);
  const { found } = await searchSymbols(context, { name }, signal);
  const files = new Set<string>();
  for (const { symbol, view } of found) {
    const { path } = symbol.location;
    if (path !== undefined && bareName(symbol.name) === name) files.add(view.workspace.absolute(path));
  }
  const [only, ...others] = files;
  if (only !== undefined && others.length === 0) return only;
  throw new InvalidArgument(
    only === undefined
      ? `resolve symbol: symbol "${name}" not found in the workspace. Use find_symbol to search for it.`
      : `resolve symbol: symbol "${name}" is declared in ${files.size} files: ${[...files].sort().join(', ')}`,
    'Give file_path.',
  );
}

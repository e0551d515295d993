/** Queries a range of a file. */
import { shownText } from '../../code/query.ts';
import type { DocumentRange } from '../../lsp/document-position.ts';
import type { LanguageServer } from '../../lsp/language-server.ts';
import { readText } from '../../overlay/overlay.ts';
import type { HumanRangeInput } from '../parameter.ts';
import { type FileInput, inFile } from '../read-file-tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { rangeIn } from './text-range.ts';

/** Like `inFile`, with the server and the requested range in the shown text. */
export function inStretch<T>(
  context: ToolContext,
  input: FileInput & HumanRangeInput,
  signal: AbortSignal,
  work: (server: LanguageServer, range: DocumentRange) => Promise<T>,
): Promise<T> {
  return inFile(context, input, signal, async (query, path, { overlay }) => {
    const text = shownText(query, path) ?? (await readText(overlay, path)).text;
    const { server } = query.lease;
    return work(server, { uri: query.lease.uri(path), range: rangeIn(text, input) });
  });
}

/** Asking about a stretch of a file. */
import { shownText } from '../../code/query.ts';
import type { Range } from '../../text/range.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { HumanRangeInput } from '../human-position.ts';
import { type FileInput, inFile, type ReadyQuery } from '../read-file-tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { rangeIn } from './text-range.ts';

/** A range of a file of the workspace. */
export interface Stretch {
  readonly path: WorkspacePath;
  readonly range: Range;
}

/** As `inFile`, with the range the caller means in the text the server is shown. */
export function inStretch<T>(
  context: ToolContext,
  input: FileInput & HumanRangeInput,
  signal: AbortSignal,
  work: (query: ReadyQuery, stretch: Stretch) => Promise<T>,
): Promise<T> {
  return inFile(context, input, signal, async (query, path, { overlay }) => {
    const text = shownText(query, path) ?? (await overlay.readText(path)).text;
    return work(query, { path, range: rangeIn(text, input) });
  });
}

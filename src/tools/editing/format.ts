/**
 * The common part of the two formatting tools.
 *
 * Invariant: nothing is written unless the caller asks for it, and the answered edits are the written ones.
 */
import type { ZodBoolean, ZodNumber, ZodOptional } from 'zod';
import { shownText } from '../../code/query.ts';
import { formatEdits } from '../../code/server-edit.ts';
import { applyWorkspaceEdit } from '../../overlay/workspace-edit.ts';
import type { Range } from '../../text/position.ts';
import { flag, whole } from '../parameter.ts';
import { type FileInput, inFile } from '../read-file-tool.ts';
import { during } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult, type ToolResult } from '../tool-result.ts';
import { diskFile } from './disk-file.ts';
import { landEdit } from './landed-edit.ts';

export const formatInput: {
  readonly tab_size: ZodOptional<ZodNumber>;
  readonly insert_spaces: ZodOptional<ZodBoolean>;
  readonly apply: ZodOptional<ZodBoolean>;
} = {
  tab_size: whole('Width of one indentation level in columns; default: 2.').optional(),
  insert_spaces: flag('Indent with spaces instead of tabs; default: true.').optional(),
  apply: flag('Also write the result to disk; default: false.').optional(),
};

interface FormatInput extends FileInput {
  readonly tab_size?: number | undefined;
  readonly insert_spaces?: boolean | undefined;
  readonly apply?: boolean | undefined;
}

export interface Formatting {
  /** The name of the tool, as a prefix of its failures. */
  readonly step: string;
  readonly input: FormatInput;
  /** Absent: the whole file. */
  readonly rangeIn?: (text: string) => Range;
}

export function format(
  context: ToolContext,
  { step, input, rangeIn }: Formatting,
  signal: AbortSignal,
): Promise<ToolResult> {
  return during(step, async () => {
    const formatted = await inFile(context, input, signal, async (query, path, view) => {
      const file = input.apply ? await diskFile(query, path, view) : undefined;
      const range = rangeIn && { range: rangeIn(shownText(query, path) ?? '') };
      const options = {
        tabSize: Math.max(1, input.tab_size ?? 2),
        insertSpaces: input.insert_spaces ?? true,
      };
      const edits = await formatEdits(query, { path, ...options, ...range }, signal);
      const edit = { changes: { [view.workspace.uri(path)]: edits } };
      const overlay = file && (await applyWorkspaceEdit(view.workspace, file.overlay, edit));
      return { view, edits, overlay };
    });
    const { edits, view, overlay } = formatted;
    if (!overlay || edits.length === 0) return jsonResult(edits);
    const { extras } = await landEdit(
      context,
      { view, overlay, advice: 'the file is formatted on disk.' },
      signal,
    );
    return jsonResult(edits, { ...extras, meta: { applied: true, ...extras.meta } });
  });
}

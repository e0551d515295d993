/** Formats a part of a file. */
import { z } from 'zod';
import { humanRange } from '../parameter.ts';
import { fileInput } from '../read-file-tool.ts';
import { looseRangeIn } from '../symbols/text-range.ts';
import { defineTool, type Tool } from '../tool.ts';
import { format, formatInput } from './format.ts';

export const formatRange: Tool = defineTool({
  name: 'format_range',
  title: 'Format Range',
  effect: 'reads',
  description:
    'The edits with which the language server would format some lines of a file, zero-based as in LSP. Without columns, whole lines are formatted. apply writes them.',
  input: z.object({ ...fileInput, ...humanRange, ...formatInput }),
  handle(context, input, signal) {
    const rangeIn = (text: string) => looseRangeIn(text, input);
    return format(context, { step: 'format_range', input, rangeIn }, signal);
  },
});

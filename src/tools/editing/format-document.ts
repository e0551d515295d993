/** Formats a file. */
import { z } from 'zod';
import { fileInput } from '../read-file-tool.ts';
import { defineTool, type Tool } from '../tool.ts';
import { format, formatInput } from './format.ts';

export const formatDocument: Tool = defineTool({
  name: 'format_document',
  title: 'Format Document',
  effect: 'reads',
  description:
    'The edits with which the language server would format a file, zero-based as in LSP; none if it is formatted or the server has no formatter. apply writes them.',
  input: z.object({ ...fileInput, ...formatInput }),
  handle: (context, input, signal) => format(context, { step: 'format_document', input }, signal),
});

/** Closes a document opened by open_document. */
import { z } from 'zod';
import { filePath } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { textResult } from '../tool-result.ts';

export const closeDocument: Tool = defineTool({
  name: 'close_document',
  title: 'Close Document',
  effect: 'reads',
  description: 'Close a file opened with open_document; its unsaved text is discarded.',
  input: z.object({ file_path: filePath }),
  async handle(context, { file_path }, signal) {
    const { view, path } = await during('invalid file_path', () =>
      context.workspaces.locateFile(file_path, signal),
    );
    context.connection.documents.close(context.workspaces, { view, path });
    return textResult(`Document closed: ${file_path}`);
  },
});

/** Opens a file in the language server, with the text on disk or with unsaved text. */
import { z } from 'zod';
import { readText } from '../../overlay/overlay.ts';
import { filePath, text } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import { textResult } from '../tool-result.ts';

export const openDocument: Tool = defineTool({
  name: 'open_document',
  title: 'Open Document',
  effect: 'reads',
  description: 'Open a file in the language server, with the text on disk or with unsaved text of your own.',
  input: z.object({
    file_path: filePath,
    text: text('Unsaved text that replaces the text on disk.').optional(),
  }),
  async handle(context, input, signal) {
    const { view, path } = await during('invalid file_path', () =>
      context.workspaces.locateFile(input.file_path, signal),
    );
    await during('failed to open document', async () => {
      // Without unsaved text, the file must exist.
      if (input.text === undefined) await readText(view.overlay, path);
      context.connection.documents.open(context.workspaces, { view, path, unsavedText: input.text });
    });
    return textResult(`Document opened: ${input.file_path}`);
  },
});

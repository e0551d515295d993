/** Writes a whole file. */
import { z } from 'zod';
import { text, word } from '../../tools/parameter.ts';
import { defineTool } from '../../tools/tool.ts';
import { textResult } from '../../tools/tool-result.ts';
import type { AgentTool } from '../agent-context.ts';
import { editableText, type TextContent, written } from '../files/editable-file.ts';
import { anchorPath } from '../files/path-anchor.ts';

export const writeTool: AgentTool = defineTool({
  name: 'Write',
  title: 'Write File',
  description:
    'Write a file with the given content; missing directories are created. An existing file must have been read first. To change part of a file, use Edit.',
  effect: 'overlay',
  input: z.object({
    file_path: word('Path of the file, from the workspace root or absolute.'),
    content: text('The whole new content.'),
  }),
  async subject({ roots }, { file_path }) {
    return { kind: 'paths', paths: [await anchorPath(roots, file_path)] };
  },
  async handle(context, { file_path, content }) {
    const at = await anchorPath(context.roots, file_path);
    const before = await editableText(context, at);
    const verb = before === undefined ? 'Created' : 'Wrote';
    return textResult(`${verb} ${at.shown}.`, written(at, contentOf(before, content)));
  },
});

/** Keeps a byte order mark of the old file, or one that the model wrote, apart from the text. */
function contentOf(before: TextContent | undefined, given: string): TextContent {
  const marked = given.startsWith('\ufeff');
  const bom = marked || before?.bom === true;
  const kept = before?.mode === undefined ? {} : { mode: before.mode };
  return { kind: 'text', text: marked ? given.slice(1) : given, ...(bom && { bom }), ...kept };
}

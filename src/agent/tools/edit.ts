/** Replaces exact text in a file, once or several times in one call. */
import { z } from 'zod';
import { flag, text, word } from '../../tools/parameter.ts';
import { defineTool } from '../../tools/tool.ts';
import { type ToolResult, textResult } from '../../tools/tool-result.ts';
import type { AgentContext, AgentTool } from '../agent-context.ts';
import { BadCall } from '../failure.ts';
import { editableText, written } from '../files/editable-file.ts';
import { anchorPath } from '../files/path-anchor.ts';
import { replaceText, type TextReplacement } from '../files/text-replacement.ts';

const filePath = word('Path of the file, from the workspace root or absolute.');

const replacement = {
  old_string: text('The exact text to replace, as the file has it.'),
  new_string: text('The replacement text.'),
  replace_all: flag('Replace every occurrence; default: false.').optional(),
};

export const editTool: AgentTool = defineTool({
  name: 'Edit',
  title: 'Edit File',
  description:
    'Replace old_string with new_string in a file that has been read. old_string must occur exactly once, unless replace_all is set.',
  effect: 'overlay',
  input: z.object({ file_path: filePath, ...replacement }),
  async subject({ roots }, { file_path }) {
    return { kind: 'paths', paths: [await anchorPath(roots, file_path)] };
  },
  handle: (context, { file_path, ...edit }) => edited(context, file_path, [edit]),
});

export const multiEditTool: AgentTool = defineTool({
  name: 'MultiEdit',
  title: 'Edit File Several Times',
  description:
    'Make several edits to one file that has been read. Each edit applies to the text left by the one before. All edits are made, or none.',
  effect: 'overlay',
  input: z.object({
    file_path: filePath,
    edits: z.array(z.object(replacement)).min(1).describe('The edits, in order.'),
  }),
  async subject({ roots }, { file_path }) {
    return { kind: 'paths', paths: [await anchorPath(roots, file_path)] };
  },
  handle: (context, { file_path, edits }) => edited(context, file_path, edits),
});

async function edited(
  context: AgentContext,
  filePathGiven: string,
  edits: readonly TextReplacement[],
): Promise<ToolResult> {
  const at = await anchorPath(context.roots, filePathGiven);
  const before = await editableText(context, at);
  if (before === undefined) {
    throw new BadCall(`there is no file ${at.shown}`, 'Check the path, or use Write to create the file.');
  }
  let after = before.text;
  let count = 0;
  for (const edit of edits) {
    const replaced = replaceText(at.shown, after, edit);
    after = replaced.text;
    count += replaced.count;
  }
  const occurrences = count === 1 ? '1 replacement' : `${count} replacements`;
  return textResult(`Edited ${at.shown}: ${occurrences}.`, written(at, { ...before, text: after }));
}

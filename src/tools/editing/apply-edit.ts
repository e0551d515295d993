/** Writes an edit to disk: an overlay that is committed at once. */
import { z } from 'zod';
import { messageOf } from '../../base/failure.ts';
import { isRecord } from '../../base/record.ts';
import type { FileLocation } from '../../live/connection-workspaces.ts';
import { editText } from '../../overlay/overlay.ts';
import { applyWorkspaceEdit, parseWorkspaceEdit } from '../../overlay/workspace-edit.ts';
import type { Quote } from '../../text/quoted-replacement.ts';
import { InvalidArgument, MissingArgument } from '../failure.ts';
import { replaceQuote } from '../old-text.ts';
import { flag, text, whole, word } from '../parameter.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { type ToolResult, textResult } from '../tool-result.ts';
import { landUncounted } from './landed-edit.ts';

export const applyEdit: Tool = defineTool({
  name: 'apply_edit',
  title: 'Apply Edit',
  effect: 'disk',
  description:
    'Write an edit to disk, all files or none: a WorkspaceEdit (zero-based LSP ranges), or file_path with old_text and its replacement new_text.',
  input: z.object({
    workspace_edit: z
      .unknown()
      // The schema declares an object, which it nearly always is; a list is accepted too.
      .meta({
        type: 'object',
        description: 'A WorkspaceEdit, or a list of TextEdits together with file_path.',
      })
      .optional(),
    file_path: word('Absolute path of the file to edit by quotation.').optional(),
    old_text: text('The text to replace; white space around lines may differ.').optional(),
    new_text: text('The replacement text.').optional(),
    occurrence: whole('Which of several matches to replace, from 1.').optional(),
    replace_all: flag('Replace every match.').optional(),
  }),
  async handle(context, input, signal) {
    if (input.file_path !== undefined && input.old_text) {
      if (input.new_text === undefined) throw new MissingArgument('new_text is required', 'new_text');
      const which: Quote['which'] = input.replace_all ? 'all' : input.occurrence;
      const quote = { oldText: input.old_text, newText: input.new_text, which };
      const extras = await during('apply_edit (text-match)', () =>
        applyQuote(context, { filePath: input.file_path ?? '', quote }, signal),
      );
      return textResult('Edit applied successfully', extras);
    }
    if (input.workspace_edit !== undefined) {
      const extras = await during('apply_edit', () => applyWhole(context, input, signal));
      return textResult('Edit applied successfully', extras);
    }
    throw new MissingArgument(
      'workspace_edit is required (or supply file_path + old_text + new_text for text-match mode)',
      'workspace_edit',
    );
  },
});

type Landed = Pick<ToolResult, 'warnings' | 'landed'>;

async function applyQuote(
  context: ToolContext,
  { filePath, quote }: { readonly filePath: string; readonly quote: Quote },
  signal: AbortSignal,
): Promise<Landed> {
  const { view, path } = await context.workspaces.locateFile(filePath, signal);
  const overlay = await editText(view.live.emptyOverlay(), path, (before) => {
    const replaced = replaceQuote(before, quote);
    if (replaced.kind === 'replaced') return replaced.text;
    throw new InvalidArgument(
      `old_text not found in ${filePath} (tried exact and whitespace-normalised line match)`,
      'Read the file and quote the text exactly.',
    );
  });
  return landUncounted(context, { view, overlay }, signal);
}

async function applyWhole(
  context: ToolContext,
  input: { readonly workspace_edit?: unknown; readonly file_path?: string | undefined },
  signal: AbortSignal,
): Promise<Landed> {
  const given =
    typeof input.workspace_edit === 'string' ? readJson(input.workspace_edit) : input.workspace_edit;
  const located = await locationOf(context, { ...input, given }, signal);
  const edit = parseWorkspaceEdit(
    Array.isArray(given) ? { changes: { [located.view.workspace.uri(located.path)]: given } } : given,
  );
  const { workspace, live } = located.view;
  const overlay = await applyWorkspaceEdit(workspace, live.emptyOverlay(), edit);
  return landUncounted(context, { view: located.view, overlay }, signal);
}

/** The workspace of an edit: that of `file_path`, else that of the first file in the edit. */
async function locationOf(
  context: ToolContext,
  input: { readonly file_path?: string | undefined; readonly given: unknown },
  signal: AbortSignal,
): Promise<FileLocation> {
  const named = input.file_path ?? firstTarget(input.given);
  if (named !== undefined) return context.workspaces.locateFile(named, signal);
  throw new InvalidArgument(
    'workspace_edit names no file',
    'Give changes or documentChanges with at least one uri.',
  );
}

function firstTarget(edit: unknown): string | undefined {
  if (!isRecord(edit)) return undefined;
  const document = Array.isArray(edit.documentChanges) ? edit.documentChanges[0] : undefined;
  if (isRecord(document)) {
    const owner = isRecord(document.textDocument) ? document.textDocument : document;
    const uri = owner.uri ?? owner.oldUri;
    return typeof uri === 'string' ? uri : undefined;
  }
  return isRecord(edit.changes) ? Object.keys(edit.changes)[0] : undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InvalidArgument(`workspace_edit is not JSON: ${messageOf(cause)}`);
  }
}

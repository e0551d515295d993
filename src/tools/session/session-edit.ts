/**
 * One edit of a call: the replacement of a range or of a quoted passage, or the creation, deletion or renaming of a file.
 * Every tool that takes edits takes them in this form.
 *
 * Invariant: an edit is parsed completely before anything is changed.
 */
import { z } from 'zod';
import { judgingLanguage } from '../../evaluation/server-assignment.ts';
import type { LiveWorkspace } from '../../live/live-workspace.ts';
import { editText, moveFile, type Overlay, readText } from '../../overlay/overlay.ts';
import { type LanguageId, languageId } from '../../servers/language.ts';
import type { Session } from '../../session/session.ts';
import { commonSplice } from '../../text/diff.ts';
import { LineIndex } from '../../text/position.ts';
import type { Quote } from '../../text/quoted-replacement.ts';
import { applyTextEdits, type TextEdit, toTextEdits } from '../../text/text-edit.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { asFailure, InvalidArgument, MissingArgument, StepFailed } from '../failure.ts';
import { replaceQuote } from '../old-text.ts';
import {
  filePath,
  flag,
  type HumanRangeInput,
  humanRange,
  text,
  toRange,
  whole,
  word,
} from '../parameter.ts';
import type { ToolContext } from '../tool-context.ts';

export const editInput = {
  file_path: filePath,
  ...humanRange,
  old_text: text('Instead of a range: the text to replace; white space around lines may differ.').optional(),
  occurrence: whole('Which of several matches of old_text, from 1.').optional(),
  replace_all: flag('Replace every match of old_text.').optional(),
  new_text: text(
    'Replacement text; empty deletes the range. Required unless operation is delete or rename.',
  ).optional(),
  operation: z
    .enum(['create', 'delete', 'rename'])
    .describe('Instead of a replacement: create the file with new_text, delete it, or rename it to new_path.')
    .optional(),
  new_path: word('The new path for operation rename.').optional(),
};

export interface EditInput extends HumanRangeInput {
  readonly old_text?: string | undefined;
  readonly occurrence?: number | undefined;
  readonly replace_all?: boolean | undefined;
  readonly new_text?: string | undefined;
  readonly operation?: 'create' | 'delete' | 'rename' | undefined;
  readonly new_path?: string | undefined;
}

export type EditRequest =
  | { readonly kind: 'replace'; readonly edit: TextEdit }
  | { readonly kind: 'quote'; readonly quote: Quote }
  | { readonly kind: 'create'; readonly text: string }
  | { readonly kind: 'delete' }
  | { readonly kind: 'rename'; readonly to: string };

export interface EditReceipt {
  readonly versionAfter: number;
  readonly baselineConfidence?: 'high' | 'partial' | undefined;
}

/** What a call says about where an edit belongs. */
export interface EditPlace {
  readonly workspaceRoot?: string | undefined;
  readonly language?: string | undefined;
  /** Determines workspace and language if the caller gives none. */
  readonly filePath: string;
}

export interface EditLocation {
  readonly live: LiveWorkspace;
  readonly language: LanguageId;
}

/** The workspace and language of an edit, from the arguments of the call. */
export async function locateEdit(
  context: ToolContext,
  { workspaceRoot, language, filePath }: EditPlace,
  signal: AbortSignal,
): Promise<EditLocation> {
  const named = language === undefined ? undefined : languageId(language);
  if (workspaceRoot !== undefined) {
    const { workspace, live } = await context.workspaces.use(workspaceRoot, signal);
    return { live, language: named ?? judgingLanguage(live, await workspace.resolve(filePath)) };
  }
  const { view, path } = await context.workspaces.locateFile(filePath, signal);
  return { live: view.live, language: named ?? judgingLanguage(view.live, path) };
}

export function readEdit(input: EditInput): EditRequest {
  switch (input.operation) {
    case 'create':
      return { kind: 'create', text: input.new_text ?? '' };
    case 'delete':
      return { kind: 'delete' };
    case 'rename':
      if (input.new_path === undefined) throw new MissingArgument('new_path is required', 'new_path');
      return { kind: 'rename', to: input.new_path };
    case undefined: {
      const newText = input.new_text;
      if (newText === undefined) throw new MissingArgument('new_text is required', 'new_text');
      if (!input.old_text) return { kind: 'replace', edit: { range: readRange(input), newText } };
      const which = input.replace_all ? 'all' : input.occurrence;
      return { kind: 'quote', quote: { oldText: input.old_text, newText, which } };
    }
  }
}

/** Whether a call that may hold several edits names one itself. */
export function namesEdit({ new_text, old_text, operation }: EditInput): boolean {
  return new_text !== undefined || old_text !== undefined || operation !== undefined;
}

export interface PlacedEdit {
  readonly path: WorkspacePath;
  readonly request: EditRequest;
}

/** Makes the edit in a session. Only a replacement in an existing file is recorded with its range. */
export async function editSession(
  session: Session,
  { path, request, timeoutMs }: PlacedEdit & { readonly timeoutMs?: number | undefined },
  signal: AbortSignal,
): Promise<EditReceipt> {
  const edit = await textEditOf(session.overlay, { path, request });
  if (edit && !(await createsFile(session.overlay, path, edit))) {
    return session.edit({ path, edit, timeoutMs }, signal);
  }
  await session.transform((overlay) => editedOverlay(session.workspace, overlay, { path, request }), signal);
  const touched = request.kind === 'rename' ? await session.workspace.resolve(request.to) : path;
  return { versionAfter: session.history.edits.findLast((edit) => edit.path === touched)?.version ?? 1 };
}

/** The overlay with the edit applied. */
export async function editedOverlay(
  workspace: Workspace,
  overlay: Overlay,
  { path, request }: PlacedEdit,
): Promise<Overlay> {
  switch (request.kind) {
    case 'replace':
    case 'quote': {
      const edit = await textEditOf(overlay, { path, request });
      if (!edit) return overlay;
      if (await createsFile(overlay, path, edit)) return overlay.writeText(path, edit.newText);
      return editText(overlay, path, (before) => applyTextEdits(before, [edit]));
    }
    case 'create':
      if ((await overlay.read(path)) === undefined)
        return overlay.write(path, { kind: 'text', text: request.text });
      throw new InvalidArgument(`${path} already exists`, 'Edit the existing file, or delete it first.');
    case 'delete':
      if ((await overlay.read(path)) !== undefined) return overlay.remove(path);
      throw new InvalidArgument(`file does not exist: ${path}`);
    case 'rename':
      return moveFile(overlay, path, await workspace.resolve(request.to));
  }
}

/**
 * The replacement that an edit makes in the text that the overlay has; undefined for a created, deleted or renamed
 * file.
 */
export async function textEditOf(
  overlay: Overlay,
  { path, request }: PlacedEdit,
): Promise<TextEdit | undefined> {
  if (request.kind === 'replace') return request.edit;
  if (request.kind !== 'quote') return undefined;
  const { text: before } = await readText(overlay, path);
  const replaced = replaceQuote(before, request.quote);
  if (replaced.kind === 'not-found')
    throw new InvalidArgument(
      `old_text was not found in ${path}`,
      'Quote the file exactly as it is with the edits before this one.',
    );
  const splice = commonSplice(before, replaced.text);
  const top = { line: 0, character: 0 };
  const [edit] = splice ? toTextEdits(new LineIndex(before), [splice]) : [];
  return edit ?? { range: { start: top, end: top }, newText: '' };
}

/** An empty range at the beginning of a missing file creates the file. */
async function createsFile(overlay: Overlay, path: WorkspacePath, edit: TextEdit): Promise<boolean> {
  const { start, end } = edit.range;
  const isAtTop = start.line === 0 && start.character === 0 && end.line === 0 && end.character === 0;
  return isAtTop && (await overlay.read(path)) === undefined;
}

function readRange(input: EditInput): TextEdit['range'] {
  try {
    return toRange(input);
  } catch (thrown) {
    throw new StepFailed('invalid range', asFailure(thrown));
  }
}

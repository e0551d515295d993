/**
 * One edit of a call: a replacement, or the creation, deletion or renaming of a file.
 *
 * Invariant: an edit is parsed completely before anything is changed.
 */
import { z } from 'zod';
import type { Overlay } from '../../overlay/overlay.ts';
import type { Session } from '../../session/session.ts';
import { applyTextEdits, type TextEdit } from '../../text/text-edit.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { asFailure, InvalidArgument, MissingArgument, StepFailed } from '../failure.ts';
import { type HumanRangeInput, toRange } from '../human-position.ts';
import { filePath, humanRange, text, word } from '../parameter.ts';

export const editInput = {
  file_path: filePath,
  ...humanRange,
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
  readonly new_text?: string | undefined;
  readonly operation?: 'create' | 'delete' | 'rename' | undefined;
  readonly new_path?: string | undefined;
}

export type EditRequest =
  | { readonly kind: 'replace'; readonly edit: TextEdit }
  | { readonly kind: 'create'; readonly text: string }
  | { readonly kind: 'delete' }
  | { readonly kind: 'rename'; readonly to: string };

export interface EditReceipt {
  readonly versionAfter: number;
  readonly baselineConfidence?: 'high' | 'partial' | undefined;
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
      return { kind: 'replace', edit: { range: readRange(input), newText } };
    }
  }
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
  if (request.kind === 'replace' && !(await createsFile(session.overlay, path, request.edit))) {
    const { edit } = request;
    return timeoutMs === undefined
      ? session.edit(path, edit, signal)
      : session.editWithin({ path, edit, timeoutMs }, signal);
  }
  await session.transform((overlay) => editedOverlay(session.workspace, overlay, { path, request }), signal);
  const touched = request.kind === 'rename' ? await session.workspace.resolve(request.to) : path;
  return { versionAfter: session.edits.findLast((edit) => edit.path === touched)?.version ?? 1 };
}

/** The overlay with the edit applied. */
export async function editedOverlay(
  workspace: Workspace,
  overlay: Overlay,
  { path, request }: PlacedEdit,
): Promise<Overlay> {
  switch (request.kind) {
    case 'replace': {
      const { edit } = request;
      if (await createsFile(overlay, path, edit)) return overlay.writeText(path, edit.newText);
      return overlay.editText(path, (before) => applyTextEdits(before, [edit]));
    }
    case 'create':
      if ((await overlay.read(path)) === undefined)
        return overlay.write(path, { kind: 'text', text: request.text });
      throw new InvalidArgument(`${path} already exists`, 'Edit the existing file, or delete it first.');
    case 'delete':
      if ((await overlay.read(path)) !== undefined) return overlay.remove(path);
      throw new InvalidArgument(`file does not exist: ${path}`);
    case 'rename':
      return overlay.rename(path, await workspace.resolve(request.to));
  }
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

/**
 * One edit of a session as callers write it: a replacement, or a file created, deleted or renamed.
 *
 * Invariant: an edit is read completely before anything is changed.
 */
import { z } from 'zod';
import type { Session } from '../../session/session.ts';
import type { TextEdit } from '../../text/text-edit.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import { asFailure, InvalidArgument, MissingArgument, StepFailed } from '../failure.ts';
import { type HumanRangeInput, toRange } from '../human-position.ts';
import { filePath, humanRange, text, word } from '../parameter.ts';

export const editInput = {
  file_path: filePath,
  ...humanRange,
  new_text: text(
    'Replacement; empty deletes the range. Required unless operation is delete or rename.',
  ).optional(),
  operation: z
    .enum(['create', 'delete', 'rename'])
    .describe('Instead of a replacement: create the file with new_text, delete it, or rename it to new_path.')
    .optional(),
  new_path: word('Where operation rename moves the file.').optional(),
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

/** Lays the edit over the session's files. */
export async function applyEdit(
  session: Session,
  {
    path,
    request,
    timeoutMs,
  }: {
    readonly path: WorkspacePath;
    readonly request: EditRequest;
    readonly timeoutMs?: number | undefined;
  },
  signal: AbortSignal,
): Promise<EditReceipt> {
  switch (request.kind) {
    case 'replace': {
      const { edit } = request;
      if (!(await createsFile(session, path, edit)))
        return timeoutMs === undefined
          ? session.edit(path, edit, signal)
          : session.editWithin({ path, edit, timeoutMs }, signal);
      return applyEdit(session, { path, request: { kind: 'create', text: request.edit.newText } }, signal);
    }
    case 'create':
      await session.transform(async (overlay) => {
        if ((await overlay.read(path)) === undefined)
          return overlay.write(path, { kind: 'text', text: request.text });
        throw new InvalidArgument(`${path} already exists`, 'Edit the existing file, or delete it first.');
      }, signal);
      return receiptOf(session, path);
    case 'delete':
      await session.transform(async (overlay) => {
        if ((await overlay.read(path)) !== undefined) return overlay.remove(path);
        throw new InvalidArgument(`file does not exist: ${path}`);
      }, signal);
      return receiptOf(session, path);
    case 'rename': {
      const to = await session.workspace.resolve(request.to);
      await session.transform((overlay) => overlay.rename(path, to), signal);
      return receiptOf(session, to);
    }
  }
}

function receiptOf(session: Session, path: WorkspacePath): EditReceipt {
  return { versionAfter: session.edits.findLast((edit) => edit.path === path)?.version ?? 1 };
}

/** An empty range at the very beginning of a file nobody has written yet stands for its creation. */
async function createsFile(session: Session, path: WorkspacePath, edit: TextEdit): Promise<boolean> {
  const { start, end } = edit.range;
  const isAtTop = start.line === 0 && start.character === 0 && end.line === 0 && end.character === 0;
  return isAtTop && (await session.overlay.read(path)) === undefined;
}

function readRange(input: EditInput): TextEdit['range'] {
  try {
    return toRange(input);
  } catch (thrown) {
    throw new StepFailed('invalid range', asFailure(thrown));
  }
}

/**
 * Reads the editing tools of agents. Their inputs differ in names only, so all names are accepted, and which tools edit
 * is data of the dialect.
 */
import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import type { Passage, ProposedChange } from '../../../host/check/proposal-check.ts';
import { type ContextPatch, parseContextPatch } from '../../../text/context-patch.ts';
import type { EditedFile } from '../hook-event.ts';

/** How a tool says what it changes. */
export type EditForm = 'passage' | 'passages' | 'whole' | 'patch';

const passage = z.object({
  old_text: z.string().optional(),
  old_string: z.string().optional(),
  oldString: z.string().optional(),
  new_text: z.string().optional(),
  new_string: z.string().optional(),
  newString: z.string().optional(),
  replace_all: z.boolean().optional(),
  replaceAll: z.boolean().optional(),
});

const toolInput = passage.extend({
  file_path: z.string().optional(),
  filePath: z.string().optional(),
  path: z.string().optional(),
  content: z.string().optional(),
  contents: z.string().optional(),
  edits: z.array(passage).optional(),
  command: z.string().optional(),
  input: z.string().optional(),
  patchText: z.string().optional(),
});

/** The two agents that send the former text send it in the tool's response. */
const toolResponse = z.object({
  originalFile: z.string().nullish(),
  returnDisplay: z.object({ originalContent: z.string().optional() }).optional().catch(undefined),
});

/** The files that a call edits; undefined if its input has another shape. */
export function editedFiles(
  form: EditForm,
  call: { readonly input: unknown; readonly response?: unknown },
  directory: string,
): readonly EditedFile[] | undefined {
  const read = toolInput.safeParse(call.input);
  if (!read.success) return undefined;
  const input = read.data;
  if (form === 'patch') {
    const text = input.command ?? input.input ?? input.patchText;
    return text === undefined ? undefined : patchedFiles(text, directory);
  }
  const given = input.file_path ?? input.filePath ?? input.path;
  if (given === undefined || given === '') return undefined;
  const change = changeOf(form, input);
  return [
    {
      filePath: absolute(given, directory),
      given,
      ...(change && { change }),
      ...formerIn(call.response),
    },
  ];
}

function changeOf(form: EditForm, input: z.infer<typeof toolInput>): ProposedChange | undefined {
  if (form === 'whole') {
    const text = input.content ?? input.contents;
    return text === undefined ? undefined : { kind: 'whole', text };
  }
  const edits = form === 'passages' ? (input.edits ?? []) : [input];
  const passages = edits.map(passageOf);
  return passages.length === 0 ? undefined : { kind: 'passages', passages };
}

export function passageOf(given: z.infer<typeof passage>): Passage {
  return {
    oldText: given.old_text ?? given.old_string ?? given.oldString ?? '',
    newText: given.new_text ?? given.new_string ?? given.newString ?? '',
    which: given.replace_all === true || given.replaceAll === true ? 'all' : undefined,
  };
}

export const plainPassage = passage;

/** A patch that cannot be read is refused by the tool itself. */
function patchedFiles(text: string, directory: string): readonly EditedFile[] | undefined {
  try {
    return parseContextPatch(text).flatMap((patch) => patchedFile(patch, directory));
  } catch {
    return undefined;
  }
}

function patchedFile(patch: ContextPatch, directory: string): readonly EditedFile[] {
  const file = { filePath: absolute(patch.path, directory), given: patch.path };
  switch (patch.kind) {
    case 'add':
      return [{ ...file, change: { kind: 'whole', text: patch.text } }];
    case 'delete':
      return [{ ...file, change: { kind: 'removed' } }];
    case 'update': {
      const { to, hunks } = patch;
      if (to === undefined) return [{ ...file, change: { kind: 'hunks', hunks } }];
      const moved = { kind: 'moved', from: file.filePath, hunks } as const;
      // The old path has a change too: a record needs its text. Moving it makes both.
      return [{ filePath: absolute(to, directory), given: to, change: moved }, file];
    }
  }
}

export function absolute(path: string, directory: string): string {
  return isAbsolute(path) ? path : resolve(directory, path);
}

function formerIn(response: unknown): Pick<EditedFile, 'former'> {
  const read = toolResponse.safeParse(response);
  if (!read.success) return {};
  const { originalFile, returnDisplay } = read.data;
  if (originalFile === null) return { former: { text: undefined } };
  const text = originalFile ?? returnDisplay?.originalContent;
  // An empty text stands for a file that was not there; to the servers the two are alike.
  return text === undefined ? {} : { former: { text: text === '' ? undefined : text } };
}

/** Renames a symbol and all its uses. */
import picomatch from 'picomatch';
import { z } from 'zod';
import type { Coverage } from '../../code/dependents.ts';
import { askByName } from '../../code/name-lookup.ts';
import type { Place } from '../../code/query.ts';
import { changedUris, locationCount, renameEdit, withoutFiles } from '../../code/server-edit.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import { applyWorkspaceEdit, type WorkspaceEdit } from '../../overlay/workspace-edit.ts';
import { fromFileUri, type Workspace } from '../../workspace/workspace.ts';
import { baseName, comparePaths } from '../../workspace/workspace-path.ts';
import { namedMeta } from '../navigation/found-by-name.ts';
import { flag, word } from '../parameter.ts';
import type { PositionInput } from '../position-input.ts';
import { atPlace, type FileInput, placeInput, type ReadyQuery } from '../read-file-tool.ts';
import { defineTool, during, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { jsonResult, type ToolResult, textResult } from '../tool-result.ts';
import { landEdit } from './landed-edit.ts';

export const renameSymbol: Tool = defineTool({
  name: 'rename_symbol',
  title: 'Rename Symbol',
  effect: 'disk',
  description:
    'Rename the symbol at a position everywhere and write all files, or none. dry_run returns the edit without writing; undo_last_commit undoes a rename.',
  input: z.object({
    ...placeInput,
    new_name: word('The new name.'),
    dry_run: flag('Return the edit without writing; default: false.').optional(),
    exclude_globs: z
      .array(z.string())
      .describe('Files to exclude, by workspace path or name; ** is supported.')
      .optional(),
  }),
  handle(context, input, signal) {
    return during('rename_symbol', async () => {
      const rename = await workOut(context, input, signal);
      if (!rename) {
        return textResult('No rename edits produced: there is nothing to rename at this position');
      }
      const { view, edit, meta } = rename;
      if (input.dry_run) return preview(edit, meta);
      const overlay = await applyWorkspaceEdit(view.workspace, view.live.emptyOverlay(), edit);
      const advice =
        rename.incomplete ?? 'confirm with run_build or run_tests; undo_last_commit undoes the rename.';
      const { extras } = await landEdit(context, { view, overlay, advice }, signal);
      const names = fileNames(edit);
      return textResult(
        `Renamed to "${input.new_name}" across ${locationCount(edit)} location(s) in ${changedUris(edit).length} file(s): ${names.join(', ')}`,
        { ...extras, meta: { ...meta, ...extras.meta } },
      );
    });
  },
});

interface RenameInput extends FileInput, PositionInput {
  readonly new_name: string;
  readonly exclude_globs?: readonly string[] | undefined;
}

interface Rename {
  readonly view: WorkspaceView;
  readonly edit: WorkspaceEdit;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Set if there may be uses in files that were not searched. */
  readonly incomplete: string | undefined;
}

function workOut(context: ToolContext, input: RenameInput, signal: AbortSignal): Promise<Rename | undefined> {
  return atPlace(context, input, signal, async (query, place, view) => {
    const found = await renamedAt(query, { place, newName: input.new_name }, signal);
    if (!found) return undefined;
    const edit = withoutFiles(found.edit, excluder(view.workspace, input.exclude_globs ?? []));
    if (changedUris(edit).length === 0) return undefined;
    const { coverage } = query.dependents;
    return { view, edit, meta: { ...found.meta, ...coverageMeta(coverage) }, incomplete: doubtOf(coverage) };
  });
}

/** The rename at the position itself, or at the only declaration of that name elsewhere. */
async function renamedAt(
  query: ReadyQuery,
  { place, newName }: { readonly place: Place; readonly newName: string },
  signal: AbortSignal,
): Promise<{ readonly edit: WorkspaceEdit; readonly meta: Readonly<Record<string, unknown>> } | undefined> {
  const at = async (asked: Place): Promise<readonly WorkspaceEdit[]> => {
    const edit = await renameEdit(query, { place: asked, newName }, signal);
    return edit ? [edit] : [];
  };
  const [direct] = await at(place);
  if (direct) return { edit: direct, meta: {} };
  const named = await askByName(query, place, at, signal);
  const [edit] = named?.answer ?? [];
  return edit && { edit, meta: namedMeta(query, named) };
}

function excluder(workspace: Workspace, globs: readonly string[]): (uri: string) => boolean {
  if (globs.length === 0) return () => false;
  const matches = picomatch([...globs], { dot: true });
  return (uri) => {
    const path = workspace.fromUri(uri);
    return path !== undefined && (matches(path) || matches(baseName(path)));
  };
}

function preview(edit: WorkspaceEdit, meta: Readonly<Record<string, unknown>>): ToolResult {
  const note = 'Nothing was written. Call again without dry_run to apply.';
  return jsonResult(
    {
      workspace_edit: edit,
      preview: {
        files: changedUris(edit).length,
        locations: locationCount(edit),
        file_names: fileNames(edit),
        note,
      },
    },
    {
      hint: 're-run without dry_run to apply it; do not copy the edit by hand.',
      ...(Object.keys(meta).length > 0 && { meta }),
    },
  );
}

function fileNames(edit: WorkspaceEdit): readonly string[] {
  const names = changedUris(edit).map((uri) => (fromFileUri(uri) ?? uri).split(/[\\/]/).at(-1) ?? uri);
  return names.toSorted(comparePaths);
}

function coverageMeta({ complete, leftOut }: Coverage): Readonly<Record<string, unknown>> {
  return complete ? {} : { incomplete: { files_left_out: leftOut } };
}

function doubtOf({ complete, leftOut, why }: Coverage): string | undefined {
  if (complete) return undefined;
  const reason = why ?? `${leftOut} file(s) that may use the name were not searched`;
  return `uses may remain: ${reason}. Search for the old name.`;
}

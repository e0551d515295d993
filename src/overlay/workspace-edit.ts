import { diffText } from '../text/diff.ts';
import { LineIndex, type Position } from '../text/position.ts';
import { applyTextEdits, type TextEdit, toTextEdits } from '../text/text-edit.ts';
import type { FileContent } from '../workspace/file-content.ts';
import { existsIn } from '../workspace/file-source.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { JsonReader } from './internal/json-reader.ts';
import { editText, type FileChange, moveFile, type Overlay, readText } from './overlay.ts';
import { DirectoryNotEmpty, FileExists, MalformedEdit, NoSuchFile, NotText } from './overlay-failure.ts';

/** Edits to one document. A version from the server is ignored: the text is the overlay's. */
interface TextDocumentEdit {
  readonly textDocument: { readonly uri: string; readonly version?: number | null };
  readonly edits: readonly TextEdit[];
}

interface CreateFile {
  readonly kind: 'create';
  readonly uri: string;
  readonly options?: { readonly overwrite?: boolean; readonly ignoreIfExists?: boolean };
}

interface RenameFile {
  readonly kind: 'rename';
  readonly oldUri: string;
  readonly newUri: string;
  readonly options?: { readonly overwrite?: boolean; readonly ignoreIfExists?: boolean };
}

interface DeleteFile {
  readonly kind: 'delete';
  readonly uri: string;
  readonly options?: { readonly recursive?: boolean; readonly ignoreIfNotExists?: boolean };
}

type DocumentChange = TextDocumentEdit | CreateFile | RenameFile | DeleteFile;

/** A change to many files in the form of LSP. `documentChanges` override `changes`. */
export interface WorkspaceEdit {
  readonly changes?: Readonly<Record<string, readonly TextEdit[]>>;
  readonly documentChanges?: readonly DocumentChange[];
}

/** Parses an edit from a language server or a caller; members that are not needed are dropped. */
export function parseWorkspaceEdit(input: unknown): WorkspaceEdit {
  const edit = new JsonReader(input, 'edit', MalformedEdit);
  const documentChanges = edit.optional('documentChanges')?.items().map(parseDocumentChange);
  if (documentChanges !== undefined) return { documentChanges };
  const changes = edit.optional('changes')?.entries() ?? [];
  return {
    changes: Object.fromEntries(changes.map(([uri, edits]) => [uri, edits.items().map(parseTextEdit)])),
  };
}

/** The overlay with all of `edit` applied; if that fails, the given one is unchanged. */
export async function applyWorkspaceEdit(
  workspace: Workspace,
  overlay: Overlay,
  edit: WorkspaceEdit,
): Promise<Overlay> {
  if (edit.documentChanges === undefined) return applyChanges(workspace, overlay, edit.changes ?? {});
  let result = overlay;
  for (const change of edit.documentChanges) result = await applyDocumentChange(workspace, result, change);
  return result;
}

/**
 * The changes of this layer as minimal edits: plain `changes` if every change is to the text of a file that keeps its
 * path, otherwise `documentChanges`.
 */
export async function renderWorkspaceEdit(workspace: Workspace, overlay: Overlay): Promise<WorkspaceEdit> {
  const changes = await overlay.changes();
  if (changes.every(({ kind }) => kind === 'modified')) {
    return { changes: Object.fromEntries(changes.map((c) => [workspace.uri(c.path), textEdits(c)])) };
  }
  // Deletions come first, so that a file may replace a directory and a directory a file.
  const deletions = changes
    .filter(({ kind }) => kind === 'deleted')
    .map(({ path }): DocumentChange => ({ kind: 'delete', uri: workspace.uri(path) }));
  return {
    documentChanges: [...deletions, ...changes.flatMap((change) => documentChanges(workspace, change))],
  };
}

function parseDocumentChange(change: JsonReader): DocumentChange {
  if (change.optional('kind') === undefined) {
    const uri = change.get('textDocument').get('uri').string();
    return { textDocument: { uri }, edits: change.get('edits').items().map(parseTextEdit) };
  }
  const kind = change.get('kind').string();
  const options = change.optional('options')?.booleans();
  const rest = options === undefined ? {} : { options };
  if (kind === 'create' || kind === 'delete') return { kind, uri: change.get('uri').string(), ...rest };
  if (kind !== 'rename') return change.get('kind').refuse('is none of create, rename and delete');
  return { kind, oldUri: change.get('oldUri').string(), newUri: change.get('newUri').string(), ...rest };
}

function parseTextEdit(edit: JsonReader): TextEdit {
  const range = edit.get('range');
  return {
    range: { start: parsePosition(range.get('start')), end: parsePosition(range.get('end')) },
    newText: edit.get('newText').string(),
  };
}

function parsePosition(position: JsonReader): Position {
  return { line: position.get('line').count(), character: position.get('character').count() };
}

/** Several spellings of one file are edits to one text, with positions in the original text. */
async function applyChanges(
  workspace: Workspace,
  overlay: Overlay,
  changes: Readonly<Record<string, readonly TextEdit[]>>,
): Promise<Overlay> {
  const byPath = new Map<WorkspacePath, TextEdit[]>();
  for (const [uri, edits] of Object.entries(changes)) {
    const path = await workspace.resolve(uri);
    byPath.set(path, [...(byPath.get(path) ?? []), ...edits]);
  }
  const written: (readonly [WorkspacePath, FileContent])[] = [];
  for (const [path, edits] of byPath) {
    const content = await readText(overlay, path);
    written.push([path, { ...content, text: applyEdits(content.text, edits) }]);
  }
  return overlay.writeAll(written);
}

async function applyDocumentChange(
  workspace: Workspace,
  overlay: Overlay,
  change: DocumentChange,
): Promise<Overlay> {
  if (!('kind' in change)) {
    const path = await workspace.resolve(change.textDocument.uri);
    return editText(overlay, path, (text) => applyEdits(text, change.edits));
  }
  switch (change.kind) {
    case 'create':
      return createFile(overlay, await workspace.resolveEntry(change.uri), change.options ?? {});
    case 'rename': {
      const from = await workspace.resolveEntry(change.oldUri);
      return renameFile(overlay, from, await workspace.resolveEntry(change.newUri), change.options ?? {});
    }
    case 'delete':
      return deleteFile(overlay, await workspace.resolveEntry(change.uri), change.options ?? {});
  }
}

/** Servers address the end of a text as the line after its last; every editor accepts that. */
function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const index = new LineIndex(text);
  const end = index.positionAt(text.length);
  const clamp = (position: Position): Position => (position.line === index.lineCount ? end : position);
  return applyTextEdits(
    text,
    edits.map(({ range, newText }) => ({
      range: { start: clamp(range.start), end: range.end.line > end.line ? end : range.end },
      newText,
    })),
  );
}

async function createFile(
  overlay: Overlay,
  path: WorkspacePath,
  options: NonNullable<CreateFile['options']>,
): Promise<Overlay> {
  if (await existsIn(overlay, path)) {
    if (options.overwrite !== true && options.ignoreIfExists === true) return overlay;
    if (options.overwrite !== true) throw new FileExists(path);
  }
  return overlay.write(path, { kind: 'text', text: '' });
}

async function renameFile(
  overlay: Overlay,
  from: WorkspacePath,
  to: WorkspacePath,
  options: NonNullable<RenameFile['options']>,
): Promise<Overlay> {
  if (from !== to && options.overwrite !== true && (await existsIn(overlay, to))) {
    if (options.ignoreIfExists === true) return overlay;
    throw new FileExists(to);
  }
  return moveFile(overlay, from, to);
}

async function deleteFile(
  overlay: Overlay,
  path: WorkspacePath,
  options: NonNullable<DeleteFile['options']>,
): Promise<Overlay> {
  if ((await overlay.read(path)) !== undefined) return overlay.remove(path);
  const isDirectory = await existsIn(overlay, path);
  if (!isDirectory && options.ignoreIfNotExists === true) return overlay;
  if (!isDirectory) throw new NoSuchFile(path);
  if (options.recursive !== true) throw new DirectoryNotEmpty(path);
  return overlay.remove(path);
}

function documentChanges(workspace: Workspace, change: FileChange): DocumentChange[] {
  const uri = workspace.uri(change.path);
  const edits = (): DocumentChange[] => {
    const found = textEdits(change);
    return found.length === 0 ? [] : [{ textDocument: { uri, version: null }, edits: found }];
  };
  switch (change.kind) {
    case 'deleted':
      return [];
    case 'created':
      return [{ kind: 'create', uri }, ...edits()];
    case 'renamed':
      return [{ kind: 'rename', oldUri: workspace.uri(change.from ?? change.path), newUri: uri }, ...edits()];
    case 'modified':
      return edits();
  }
}

/** Only text can be expressed as edits; a file that only moved needs none. */
function textEdits({ path, before, after }: FileChange): TextEdit[] {
  if (
    before?.kind === 'binary' &&
    after?.kind === 'binary' &&
    Buffer.compare(before.bytes, after.bytes) === 0
  ) {
    return [];
  }
  if (after?.kind !== 'text' || (before !== undefined && before.kind !== 'text')) throw new NotText(path);
  const old = before?.text ?? '';
  return toTextEdits(new LineIndex(old), diffText(old, after.text));
}

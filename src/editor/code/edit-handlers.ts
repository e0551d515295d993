/**
 * Edits that a server works out: renaming, code actions, formatting.
 *
 * Invariant: an edit is worked out on the text that the buffers show, and made by the one applier; what changed meanwhile
 * makes it fail before anything is changed.
 */

import { isRecord } from '../../base/record.ts';
import { filledCodeActions } from '../../code/code-action.ts';
import { formatEdits, ownEdit, renameEdit } from '../../code/server-edit.ts';
import type { CodeAction } from '../../lsp/feature/code-action.ts';
import { renameTargetAt } from '../../lsp/feature/rename.ts';
import { type FileChange, Overlay } from '../../overlay/overlay.ts';
import { applyWorkspaceEdit, type WorkspaceEdit } from '../../overlay/workspace-edit.ts';
import { diffText } from '../../text/diff.ts';
import { LineIndex } from '../../text/position.ts';
import { toTextEdits } from '../../text/text-edit.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { WorkedOutEdit } from '../edit-applier.ts';
import type { EditPlans } from '../edit-plans.ts';
import { CannotRename, UnknownPlan } from '../editor-failure.ts';
import type { Handlers } from '../editor-feature.ts';
import type { ParamsOf, ResultOf } from '../protocol.ts';
import type { CodeAccess } from './code-access.ts';
import { KeptAnswers } from './kept-answers.ts';
import { coverageOf } from './lookup-handlers.ts';
import type { CodeQuery } from './shared-servers.ts';

type EditMethod =
  | 'code.renameTarget'
  | 'code.rename'
  | 'code.apply'
  | 'code.undo'
  | 'code.actions'
  | 'code.runAction'
  | 'code.format';

interface KeptActions {
  readonly path: WorkspacePath;
  readonly version: number | undefined;
  readonly actions: readonly CodeAction[];
}

/** How long diagnostics may take that code actions are offered for. */
const diagnosticsMs = 10_000;

export function editHandlers(access: CodeAccess, plans: EditPlans): Handlers<EditMethod> {
  const lists = new KeptAnswers<KeptActions>('actions', 8);
  return {
    'code.renameTarget': ({ position, ...file }, _source, signal) =>
      access.ask(file, 'answer', signal, async ({ lease }, path, joined) => {
        const target = await renameTargetAt(lease.server, { uri: lease.uri(path), position }, joined);
        if (!target) return {};
        const text = access.buffers.get(path)?.content.text ?? (await access.live.disk.text(path)) ?? '';
        const index = new LineIndex(text);
        const { start, end } = target.range;
        const name = target.placeholder ?? text.slice(index.offsetAt(start), index.offsetAt(end));
        return { range: target.range, name };
      }),
    'code.rename': (params, _source, signal) => rename(access, plans, params, signal),
    'code.apply': async ({ plan, without }) => {
      const { changes, versions } = plans.get(plan).worked;
      const left = new Set<string>(without);
      const kept = changes.filter(({ path, from }) => !left.has(path) && !left.has(from ?? path));
      return { paths: [...(await access.applier.apply({ changes: kept, versions }))] };
    },
    'code.undo': async () => ({ paths: [...(await access.applier.undo())] }),
    'code.actions': (params, _source, signal) => offerActions(access, lists, params, signal),
    'code.runAction': (params, _source, signal) => runAction(access, lists, params, signal),
    'code.format': (params, _source, signal) => format(access, params, signal),
  };
}

async function rename(
  access: CodeAccess,
  plans: EditPlans,
  { position, newName, ...file }: ParamsOf<'code.rename'>,
  signal: AbortSignal,
): Promise<ResultOf<'code.rename'>> {
  return access.ask(file, 'answer', signal, async (query, path, joined) => {
    const edit = await renameEdit(query, { place: { path, position }, newName }, joined);
    if (!edit) throw new CannotRename(path);
    const edited = await editedView(query, edit);
    const worked = await access.applier.workOut(edited);
    const files = worked.changes.map((change) => plannedFile(access, change));
    return { plan: plans.keep({ edited, worked }), files, coverage: coverageOf(query) };
  });
}

/** The changes that a server's edit makes to the text that it was shown. */
async function workOut(access: CodeAccess, query: CodeQuery, edit: WorkspaceEdit): Promise<WorkedOutEdit> {
  return access.applier.workOut(await editedView(query, edit));
}

/** The text that the server was shown, with its edit. */
function editedView({ view }: CodeQuery, edit: WorkspaceEdit): Promise<Overlay> {
  return applyWorkspaceEdit(view.workspace, Overlay.on(view.overlay), edit);
}

function plannedFile(access: CodeAccess, change: FileChange): ResultOf<'code.rename'>['files'][number] {
  const { path, from, kind, before, after } = change;
  const texts = [before, after].map((content) => (content?.kind === 'text' ? content.text : ''));
  const [old = '', next = ''] = texts;
  return {
    path: from ?? path,
    lane: access.applier.laneOf(from ?? path),
    kind,
    ...(from !== undefined && { to: path }),
    edits: toTextEdits(new LineIndex(old), diffText(old, next)),
  };
}

async function offerActions(
  access: CodeAccess,
  lists: KeptAnswers<KeptActions>,
  { range, ...file }: ParamsOf<'code.actions'>,
  signal: AbortSignal,
): Promise<ResultOf<'code.actions'>> {
  const answer = await access.ask(file, 'answer', signal, async (query, path, joined) => {
    const [known] = await query.lease.diagnostics([path], { timeoutMs: diagnosticsMs }, joined);
    // Settling may have looked at the file in another way: it is shown again before it is asked about.
    await query.lease.open([path]);
    const request = { path, range, diagnostics: known?.diagnostics ?? [] };
    return { path, actions: await filledCodeActions(query, request, joined) };
  });
  const { path, actions, version } = answer;
  return {
    ...(version !== undefined && { version }),
    list: lists.keep({ path, version, actions }),
    actions: actions.map(wireAction),
  };
}

function wireAction(action: CodeAction): ResultOf<'code.actions'>['actions'][number] {
  const { title, kind, isPreferred, disabled, diagnostics } = action;
  const reason = isRecord(disabled) ? disabled.reason : undefined;
  const fixed = Array.isArray(diagnostics) ? diagnostics : [];
  return {
    title,
    kind: typeof kind === 'string' ? kind : '',
    isPreferred: isPreferred === true,
    ...(typeof reason === 'string' && { disabled: reason }),
    fixes: fixed.flatMap((each) =>
      isRecord(each) && typeof each.message === 'string' ? [each.message] : [],
    ),
  };
}

/** The edit of the action first, then its command, as the protocol says; one undo takes both back. */
async function runAction(
  access: CodeAccess,
  lists: KeptAnswers<KeptActions>,
  { list, index }: ParamsOf<'code.runAction'>,
  signal: AbortSignal,
): Promise<ResultOf<'code.runAction'>> {
  const { path, version, actions } = lists.get(list);
  const action = actions[index];
  if (!action) throw new UnknownPlan(`action ${index} of ${list}`);
  const group = access.applier.newGroup();
  const first = await access.ask({ path, version }, 'answer', signal, async (query) => ({
    edit: action.edit === undefined ? undefined : await workOut(access, query, ownEdit(query, action.edit)),
  }));
  const edited = first.edit === undefined ? [] : await access.applier.apply(first.edit, { group });
  // The server is shown the text with the edit in it before it runs the command.
  const second = await access.ask({ path }, 'answer', signal, async (query, _path, joined) => ({
    edit: await commandEdit(access, query, action, joined),
  }));
  const commanded = second.edit === undefined ? [] : await access.applier.apply(second.edit, { group });
  return { paths: [...new Set([...edited, ...commanded])] };
}

/** What the command of an action asks for, all of it; the server is told that each edit was made, and shown them after. */
async function commandEdit(
  access: CodeAccess,
  query: CodeQuery,
  { command }: CodeAction,
  signal: AbortSignal,
): Promise<WorkedOutEdit | undefined> {
  if (!isRecord(command) || typeof command.command !== 'string') return undefined;
  let edited = Overlay.on(query.view.overlay);
  const given = Array.isArray(command.arguments) ? { arguments: command.arguments } : {};
  const accept = async (edit: unknown): Promise<void> => {
    edited = await applyWorkspaceEdit(query.workspace, edited, ownEdit(query, edit));
  };
  await query.lease.executeCommand({ command: command.command, ...given }, accept, signal);
  return access.applier.workOut(edited);
}

async function format(
  access: CodeAccess,
  { range, tabSize, insertSpaces, ...file }: ParamsOf<'code.format'>,
  signal: AbortSignal,
): Promise<ResultOf<'code.format'>> {
  const { worked } = await access.ask(file, 'answer', signal, async (query, path, joined) => {
    const edits = await formatEdits(query, { path, ...(range && { range }), tabSize, insertSpaces }, joined);
    const uri = query.workspace.uri(path);
    return { worked: await workOut(access, query, { changes: { [uri]: edits } }) };
  });
  await access.applier.apply(worked);
  const path = await access.live.workspace.resolve(file.path);
  const version = access.buffers.get(path)?.version;
  return { ...(version !== undefined && { version }), isChanged: worked.changes.length > 0 };
}

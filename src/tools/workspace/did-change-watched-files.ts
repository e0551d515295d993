/** Notifies the language servers of changes on disk that the watcher may have missed. */
import { z } from 'zod';
import { isRecord } from '../../base/record.ts';
import type { WorkspaceView } from '../../live/workspace-view.ts';
import type { WatchedFileEvent } from '../../lsp/feature/watched-file.ts';
import { activeWorkspace } from '../active-workspace.ts';
import { InvalidArgument, MissingArgument } from '../failure.ts';
import { defineTool, type Tool } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { textResult } from '../tool-result.ts';

export const didChangeWatchedFiles: Tool = defineTool({
  name: 'did_change_watched_files',
  title: 'Notify File Changes',
  effect: 'process',
  destructive: true,
  description:
    'Notify the language servers that files were created (1), changed (2) or deleted (3). Rarely needed: the workspace is watched.',
  input: z.object({
    changes: z
      .unknown()
      // Parsed by hand, because the contract defines the error sentences; the schema is for clients.
      .meta({
        type: 'array',
        items: { type: 'object', properties: { uri: { type: 'string' }, type: { type: 'integer' } } },
        description: 'The changes: [{"uri":"file:///…","type":1}].',
      }),
  }),
  async handle(context, { changes }, signal) {
    const events = readChanges(changes);
    const view = await activeWorkspace(context, undefined, signal);
    for (const [each, own] of byWorkspace(context, view, events)) report(each, own);
    return textResult('File change notifications sent');
  },
});

const kinds: Readonly<Record<number, WatchedFileEvent['kind']>> = {
  1: 'created',
  2: 'changed',
  3: 'deleted',
};

function readChanges(changes: unknown): readonly WatchedFileEvent[] {
  if (changes === undefined) throw new MissingArgument('changes is required', 'changes');
  if (!Array.isArray(changes)) throw new InvalidArgument('changes must be an array');
  return changes.map((change: unknown, index) => {
    const { uri, type } = isRecord(change) ? change : {};
    if (typeof uri !== 'string' || uri === '') throw new InvalidArgument(`changes[${index}].uri is required`);
    const kind = kinds[Number(type)];
    if (kind === undefined) {
      throw new InvalidArgument(`changes[${index}].type must be 1 (created), 2 (changed), or 3 (deleted)`);
    }
    return { uri, kind };
  });
}

/** Each change goes to the workspace that contains it; any other goes to the servers of the active workspace. */
function byWorkspace(
  { workspaces }: ToolContext,
  active: WorkspaceView,
  events: readonly WatchedFileEvent[],
): ReadonlyMap<WorkspaceView, readonly WatchedFileEvent[]> {
  const groups = new Map<WorkspaceView, WatchedFileEvent[]>();
  for (const event of events) {
    const holder = workspaces.all.find(({ workspace }) => workspace.fromUri(event.uri) !== undefined);
    const owner = holder ?? active;
    groups.set(owner, [...(groups.get(owner) ?? []), event]);
  }
  return groups;
}

function report({ live, workspace }: WorkspaceView, events: readonly WatchedFileEvent[]): void {
  const outside: WatchedFileEvent[] = [];
  for (const event of events) {
    const path = workspace.fromUri(event.uri);
    if (path === undefined) outside.push(event);
    else live.disk.report([{ path, kind: event.kind }]);
  }
  for (const pool of live.servers.pools) pool.queueOutsideEvents(outside);
}

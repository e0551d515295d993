/** Takes back the last edit that any tool has written to a workspace. */
import { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import { activeWorkspace } from '../active-workspace.ts';
import { word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import { textResult } from '../tool-result.ts';
import { countersAfter } from './landed-edit.ts';

export const undoLastCommit: Tool = defineTool({
  name: 'undo_last_commit',
  title: 'Undo Last Commit',
  effect: 'disk',
  description:
    'Take back the last edit a tool of this server wrote to the workspace, all of its files or none. Repeated, it takes back the one before. Refused where a file has changed since.',
  input: z.object({
    root_dir: word('Absolute path of the workspace; default: the current one.').optional(),
  }),
  async handle(context, { root_dir }, signal) {
    const open = await activeWorkspace(context, root_dir, signal);
    const outcome = await open.executor.undoLastCommit(signal);
    switch (outcome.kind) {
      case 'nothing':
        return textResult('No commit to undo');
      case 'conflict':
        throw new UndoConflict(outcome.paths);
      case 'committed': {
        const paths = outcome.written;
        const advice = 'the workspace is as it was before that edit.';
        const extras = await countersAfter(context, { open, paths, advice }, signal);
        return textResult(
          `Undid the last commit: ${paths.length} file(s) restored: ${paths.join(', ')}`,
          extras,
        );
      }
    }
  },
});

class UndoConflict extends Failure {
  readonly code = 'tools/undo-conflict';
  readonly remedy = 'Nothing was undone. Put the files back as the edit left them, or undo it by hand.';
  readonly paths: readonly string[];

  constructor(paths: readonly string[]) {
    super(`conflict: changed on disk since the commit: ${paths.join(', ')}`);
    this.paths = paths;
  }
}

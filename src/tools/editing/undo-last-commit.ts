/** Undoes the last commit of any tool in a workspace. */
import { z } from 'zod';
import { Failure } from '../../base/failure.ts';
import { activeWorkspace } from '../active-workspace.ts';
import { word } from '../parameter.ts';
import { defineTool, type Tool } from '../tool.ts';
import { textResult } from '../tool-result.ts';
import { landAndCount } from './landed-edit.ts';

export const undoLastCommit: Tool = defineTool({
  name: 'undo_last_commit',
  title: 'Undo Last Commit',
  effect: 'disk',
  description:
    'Undo the last edit a tool of this server wrote to the workspace, all of its files or none. Repeat it to undo the edit before. Refused if a file has changed since.',
  input: z.object({
    root_dir: word('Absolute path of the workspace; default: the current one.').optional(),
  }),
  async handle(context, { root_dir }, signal) {
    const view = await activeWorkspace(context, root_dir, signal);
    const paths = await view.live.commits.undoable();
    if (paths.length === 0) return textResult('No commit to undo');
    const advice = 'the files are as before that edit.';
    const land = async () => {
      const outcome = await view.live.commits.undo(signal);
      if (outcome.kind === 'conflict') throw new UndoConflict(outcome.paths);
      return outcome;
    };
    const undone = await landAndCount(context, { view, paths, land, advice }, signal);
    if (undone.outcome.kind === 'nothing') return textResult('No commit to undo');
    const restored = undone.outcome.written;
    return textResult(
      `Undid the last commit: ${restored.length} file(s) restored: ${restored.join(', ')}`,
      undone.extras,
    );
  },
});

class UndoConflict extends Failure {
  readonly code = 'tools/undo-conflict';
  readonly remedy = 'Nothing was undone. Restore the files to the state the edit left, or undo it by hand.';
  readonly paths: readonly string[];

  constructor(paths: readonly string[]) {
    super(`conflict: changed on disk since the commit: ${paths.join(', ')}`);
    this.paths = paths;
  }
}

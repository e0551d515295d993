/** What a process has learned while files changed under it is no worse than what one learns that starts afterwards. */
import { expect, test } from 'vitest';
import { randomWalk, walkSteps } from '../support/walk/random-walk.ts';
import { walkWorkspace } from '../support/walk/walk-workspace.ts';

const workspaces = (['typescript', 'python'] as const).map(walkWorkspace);

test.for(workspaces.map((workspace) => ({ workspace, steps: walkSteps(workspace) })))(
  'after other programs saved while it judged, a warm process judges $steps edits as a fresh one: $workspace.language',
  { timeout: 20_000_000 },
  async ({ workspace, steps }, { skip }) => {
    skip(!workspace.isPresent);
    for await (const { edit, history, warm, fresh, doubts } of randomWalk(workspace, steps, 'at-any-time'))
      expect.soft(warm, [...history.slice(-8), `asked: ${edit}`, ...doubts].join('\n')).toEqual(fresh);
  },
);

/** A process that has seen many edits answers as one that has seen none. */
import { expect, test } from 'vitest';
import { randomWalk, walkSteps } from '../support/walk/random-walk.ts';
import { walkWorkspace } from '../support/walk/walk-workspace.ts';

const workspace = walkWorkspace('cpp');
const steps = walkSteps(workspace);

test.skipIf(!workspace.isPresent)(
  `each of ${steps} edits of a walk is judged by a warm process as by a fresh one`,
  async () => {
    for await (const { edit, history, warm, fresh, doubts } of randomWalk(workspace, steps))
      expect.soft(warm, [...history.slice(-8), `asked: ${edit}`, ...doubts].join('\n')).toEqual(fresh);
  },
  steps * 60_000,
);

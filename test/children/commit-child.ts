/**
 * Commits the scenario in the directory it is given, with its journal in the state directory it is given, and kills
 * itself before step number `fatal`; without one it finishes and prints how many steps there were.
 */
import { commitOverlay } from '../../src/overlay/commit/commit.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { scenarioOverlay } from '../support/commit-scenario.ts';

const [root = '', stateDirectory = '', fatal = '0'] = process.argv.slice(2);
const workspace = await Workspace.open(root);
let steps = 0;
const outcome = await commitOverlay(
  workspace,
  await scenarioOverlay(workspace),
  {
    durability: 'power',
    onConflict: 'refuse',
    stateDirectory,
    onStep: () => {
      steps++;
      if (steps === Number(fatal)) process.kill(process.pid, 'SIGKILL');
    },
  },
  new AbortController().signal,
);
process.stdout.write(JSON.stringify({ outcome: outcome.kind, steps }));

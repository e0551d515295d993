/** Opens a sandbox, runs the command it is given and passes on what that prints; made to be killed. */
import { silentLog } from '../../src/base/log.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { overlayOf } from '../support/sandbox-scenario.ts';

export type HolderArguments = readonly [root: string, command: string, mark: string];

const [root = '', command = '', mark = ''] = process.argv.slice(2);
const { signal } = new AbortController();
const workspace = await Workspace.open(root);
const options = { env: process.env, log: silentLog, tiers: ['isolated'] as const };
await using sandbox = await openSandbox(workspace, overlayOf(workspace, { made: 'made' }), options, signal);
const onOutput = (text: string): void => void process.stdout.write(text);
await sandbox.run(command, { timeoutMs: 600_000, env: { MARK: mark }, onOutput }, signal);

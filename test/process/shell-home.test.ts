/** Package managers that are only asked for lists keep nothing in the home of the user, however they look it up. */
import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { runCommand } from '../../src/process/run-command.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { runRead, systemPath } from '../support/shell/looked-at-repository.ts';
import { describeTree } from '../support/tree-hash.ts';

const never = new AbortController().signal;
const { homedir } = userInfo();

/** Runs a command where the home that the system names is another directory. */
const withHome = (home: string) => (command: readonly string[], cwd: string) => [
  'unshare',
  '-rm',
  'sh',
  '-c',
  'mount --bind "$0" "$1" && cd "$2" && shift 2 && exec "$@"',
  home,
  homedir,
  cwd,
  ...command,
];

async function canMount(home: string): Promise<boolean> {
  const limits = { timeoutMs: 10_000, maxOutputBytes: 1000 };
  const command = withHome(home)(['true'], '/');
  const { code } = await runCommand({ command, cwd: '/', env: { PATH: systemPath }, ...limits }, never);
  return code === 0;
}

const lists = [
  'npm ls',
  'npm ls --all --json',
  'npm config list',
  'npm root -g',
  'npm query ".prod"',
  'pip list',
  'pip3 freeze',
  'pip check',
  'python3 -m pip list',
  'cargo tree',
  'cargo metadata --no-deps --format-version=1',
  'go list ./...',
  'go env GOPATH',
];

test('not a byte is written to the home', { timeout: 240_000 }, async ({ skip }) => {
  await using home = await ScratchWorkspace.create({ '.profile': 'kept\n' });
  if (!(await canMount(home.workspace.root))) skip();
  await using project = await ScratchWorkspace.create({
    'package.json': '{"name":"p","version":"1.0.0"}',
    'Cargo.toml': '[package]\nname = "p"\nversion = "0.1.0"\n',
    'src/lib.rs': '',
    'go.mod': 'module p\n',
  });
  const before = await describeTree(home.workspace.root);
  let ran = 0;
  for (const text of lists) {
    const wrapCommand = withHome(home.workspace.root);
    const outcome = await runRead(text, project, { wrapCommand, timeoutMs: 60_000 });
    if (outcome.kind === 'ran') ran += 1;
    expect(await describeTree(home.workspace.root), text).toEqual(before);
  }
  expect(ran).toBeGreaterThan(0);
});

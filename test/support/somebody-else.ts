/** Runs a program of ours as an unprivileged user, if the tests run as root. */
import { execFile } from 'node:child_process';
import { chown, lchown, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childProgram } from './child-program.ts';

export const isRoot: boolean = process.getuid?.() === 0;

/** A user id that no account of the machine has. */
export const strangerId = 54_321;

/** What makes `setpriv` run a command as the stranger. */
export const strangersArguments: readonly string[] = [
  '--reuid',
  `${strangerId}`,
  '--regid',
  `${strangerId}`,
  '--clear-groups',
];

export interface StrangersRun {
  /** Its name in test/children. */
  readonly program: string;
  readonly args: readonly string[];
  /** A directory of the stranger's own, which serves as home and holds its temporary files. */
  readonly home: string;
  /** What leads to the program, such as a command that takes something away from it. */
  readonly through?: readonly string[];
}

export async function runAsStranger({ through = [], ...run }: StrangersRun): Promise<string> {
  await mkdir(join(run.home, 'tmp'), { recursive: true });
  await giveAway(run.home);
  return runWith([...strangersArguments, ...through], run);
}

/** As root of a container that was not given the right to mount. */
export async function runAsBareRoot(run: Omit<StrangersRun, 'through'>): Promise<string> {
  await mkdir(join(run.home, 'tmp'), { recursive: true });
  return runWith(['--bounding-set=-sys_admin', '--inh-caps=-all'], run);
}

async function runWith(
  rights: readonly string[],
  { program, args, home }: Omit<StrangersRun, 'through'>,
): Promise<string> {
  const tmp = join(home, 'tmp');
  const node = [process.execPath, childProgram(program), ...args];
  const become = [...rights, ...node];
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: tmp };
  const { stdout } = await promisify(execFile)('setpriv', become, { cwd: '/', env, maxBuffer: 1 << 26 });
  return stdout;
}

/** Hands a tree over to the stranger. */
export async function giveAway(directory: string): Promise<void> {
  await chown(directory, strangerId, strangerId);
  for (const name of await readdir(directory, { recursive: true }))
    await lchown(join(directory, name), strangerId, strangerId);
}

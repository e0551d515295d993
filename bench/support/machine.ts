/** What the numbers were measured on: the machine, its programs and the versions of its servers. */
import { readFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { messageOf } from '../../src/base/failure.ts';
import { runCommand } from '../../src/process/run-command.ts';

export async function describeMachine(signal: AbortSignal): Promise<readonly string[]> {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const load = loadavg()[0] ?? 0;
  return [
    `${availableParallelism()} cores (${model}), ${Math.round(totalmem() / 1024 ** 3)} GB memory, ${type()} ${release()}, Node ${process.version}`,
    `load average at the start: ${load.toFixed(2)} (0 is a machine that does nothing else)`,
    ...(await Promise.all(servers.map((server) => server(signal)))),
  ];
}

const servers: readonly ((signal: AbortSignal) => Promise<string>)[] = [
  () => packageVersion('TypeScript (server and tsc)', 'typescript-server'),
  () => packageVersion('TypeScript (its JavaScript predecessor)', 'typescript'),
  () => packageVersion('pyright', 'pyright'),
  (signal) => programVersion(['gopls', 'version'], signal),
  (signal) => programVersion(['clangd', '--version'], signal),
  (signal) => programVersion(['rust-analyzer', '--version'], signal),
];

async function packageVersion(name: string, folder: string): Promise<string> {
  const manifest = new URL(`../../node_modules/${folder}/package.json`, import.meta.url);
  const { version }: { version: string } = JSON.parse(await readFile(manifest, 'utf8'));
  return `${name} ${version}`;
}

async function programVersion(command: readonly string[], signal: AbortSignal): Promise<string> {
  const limits = { cwd: '/', env: process.env, timeoutMs: 10_000, maxOutputBytes: 4096 };
  try {
    const { stdout } = await runCommand({ command, ...limits }, signal);
    return `${command[0]} ${/\d+(\.\d+)+\S*/.exec(stdout)?.[0] ?? 'of an unknown version'}`;
  } catch (thrown) {
    return `${command[0]}: not there (${messageOf(thrown)})`;
  }
}

/**
 * Finding a server of the catalogue on this machine.
 *
 * Invariant: what is found can be started. A launcher that merely stands in for a server nobody installed
 * (rustup's, pyenv's) is passed over.
 */
import { join } from 'node:path';
import { CommandNotFound, SpawnFailed } from '../process/process-failure.ts';
import { runCommand } from '../process/run-command.ts';
import { EmbeddedServerMissing, resolveEmbedded } from './embedded-server.ts';
import { type Environment, executablesNamed, searchPath } from './internal/executable-search.ts';
import type { ServerDefinition } from './server-definition.ts';

/** A server that is there: its definition fitted to the workspace, and the argv that starts it. */
export interface DetectedServer {
  readonly definition: ServerDefinition;
  readonly command: readonly string[];
  /** The file that is run. */
  readonly path: string;
  readonly origin: 'embedded' | 'workspace' | 'path';
}

/** Where to look: the workspace's own programs go before those of the machine. */
export interface SearchPlaces {
  readonly workspaceDir: string;
  readonly env: Environment;
}

export async function locateServer(
  definition: ServerDefinition,
  places: SearchPlaces,
  signal: AbortSignal,
): Promise<DetectedServer | undefined> {
  const fitted = fitToWorkspace(definition, places);
  if (fitted.embedded !== undefined) {
    const command = embeddedCommand(fitted.embedded, places.workspaceDir);
    if (command) return { definition: fitted, command, path: fileOf(command), origin: 'embedded' };
  }
  const [program = '', ...args] = fitted.command;
  const own = workspaceBins(places.workspaceDir);
  const directories = [...own, ...searchPath(places.env)];
  for (const name of [program, ...(fitted.binaryNames ?? [])]) {
    for (const path of executablesNamed(name, directories, places.env)) {
      if (!(await answersProbe(path, fitted, places, signal))) continue;
      const origin = own.some((directory) => path.startsWith(directory)) ? 'workspace' : 'path';
      return { definition: fitted, command: [path, ...args], path, origin };
    }
  }
  return undefined;
}

function embeddedCommand(
  server: NonNullable<ServerDefinition['embedded']>,
  workspaceDir: string,
): string[] | undefined {
  try {
    return resolveEmbedded(server, workspaceDir);
  } catch (thrown) {
    if (thrown instanceof EmbeddedServerMissing) return undefined;
    throw thrown;
  }
}

/** A server written for Node is the script, not Node. */
function fileOf([program = '', script]: readonly string[]): string {
  return program === process.execPath && script !== undefined ? script : program;
}

/** How long a program may take over its version; the first start from a cold disk is slow. */
const probeTimeoutMs = 10_000;

async function answersProbe(
  path: string,
  definition: ServerDefinition,
  { env }: SearchPlaces,
  signal: AbortSignal,
): Promise<boolean> {
  if (definition.probe === undefined) return true;
  const limits = { timeoutMs: probeTimeoutMs, maxOutputBytes: 4096 };
  try {
    const probed = await runCommand(
      { command: [path, ...definition.probe], cwd: '/', env, ...limits },
      signal,
    );
    return probed.code === 0;
  } catch (thrown) {
    if (thrown instanceof CommandNotFound || thrown instanceof SpawnFailed) return false;
    throw thrown;
  }
}

const virtualEnvironments = ['.venv', 'venv'] as const;
const binDirectory = process.platform === 'win32' ? 'Scripts' : 'bin';

function workspaceBins(workspaceDir: string): readonly string[] {
  return [
    join(workspaceDir, 'node_modules', '.bin'),
    ...virtualEnvironments.map((name) => join(workspaceDir, name, binDirectory)),
  ];
}

/** A workspace with a virtual environment of its own is judged against what is installed in it. */
function fitToWorkspace(definition: ServerDefinition, places: SearchPlaces): ServerDefinition {
  if (!definition.languages.some((language) => language === 'python')) return definition;
  const directories = virtualEnvironments.map((name) => join(places.workspaceDir, name, binDirectory));
  const [pythonPath] = executablesNamed('python', directories, places.env);
  if (pythonPath === undefined) return definition;
  const settings = membersOf(definition.settings);
  return { ...definition, settings: { ...settings, python: { pythonPath, ...membersOf(settings.python) } } };
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

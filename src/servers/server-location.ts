/**
 * Finds a server of the catalogue on this machine.
 *
 * Invariants: a server that is found can be started: launchers (rustup's, pyenv's) of servers that are not installed
 * are skipped. In an untrusted workspace no file that the workspace supplies is found or executed; only the servers
 * of this package and of the machine are.
 */
import { join } from 'node:path';
import type { Environment } from '../base/environment.ts';
import { CommandNotFound, SpawnFailed } from '../process/process-failure.ts';
import { runCommand } from '../process/run-command.ts';
import { environmentOutside } from '../workspace/outside-environment.ts';
import { type Extent, extentOf, isSupplied } from '../workspace/supplied-path.ts';
import type { Trust } from '../workspace/trust.ts';
import { EmbeddedServerMissing, pinnedTypeScript, resolveEmbedded } from './embedded-server.ts';
import { executablesNamed, searchPath } from './internal/executable-search.ts';
import { fitToPython, virtualEnvironmentBins } from './python-environment.ts';
import type { ServerDefinition } from './server-definition.ts';

/** An installed server: its definition adapted to the workspace, and the argv that starts it. */
export interface DetectedServer {
  readonly definition: ServerDefinition;
  readonly command: readonly string[];
  /** The file that is executed. */
  readonly path: string;
  readonly origin: 'embedded' | 'workspace' | 'path';
  /** Programs that the workspace offers instead, or for its use; not used, since the workspace is not trusted. */
  readonly withheld: readonly Withheld[];
}

/** A program of an untrusted workspace that was neither used nor executed. */
export interface Withheld {
  readonly kind: 'server' | 'interpreter' | 'configuration';
  readonly path: string;
}

/** Where to search; in a trusted workspace its own programs come before those of the machine. */
export interface SearchPlaces {
  readonly workspaceDir: string;
  readonly env: Environment;
  readonly trust: Trust;
  /** Folders added to the workspace; their programs count as the workspace's own. */
  readonly folders?: readonly string[] | undefined;
}

/** The result of a search: a server, or only programs that an untrusted workspace offers. */
export interface ServerLocation {
  readonly found: DetectedServer | undefined;
  readonly withheld: readonly Withheld[];
}

export async function locateServer(
  definition: ServerDefinition,
  places: SearchPlaces,
  signal: AbortSignal,
): Promise<ServerLocation> {
  const search = new ServerSearch(definition, places);
  const found = await search.run(signal);
  return { found, withheld: found?.withheld ?? search.withheld };
}

/** Whether a file has the name of the server's program; nothing is executed. */
export function hasProgram(
  { command, embedded, binaryNames = [] }: ServerDefinition,
  { directories, env }: { readonly directories: readonly string[]; readonly env: Environment },
): boolean {
  if (embedded !== undefined) return true;
  const searched = [...directories.flatMap(workspaceBins), ...searchPath(env)];
  return [command[0] ?? '', ...binaryNames].some((name) => executablesNamed(name, searched, env).length > 0);
}

class ServerSearch {
  readonly withheld: Withheld[] = [];
  readonly #definition: ServerDefinition;
  readonly #places: SearchPlaces;
  readonly #extent: Extent;

  constructor(definition: ServerDefinition, places: SearchPlaces) {
    this.#places = places;
    const roots = [places.workspaceDir, ...(places.folders ?? [])];
    this.#extent = roots.flatMap((root) => extentOf(root, places.env));
    const fitted = fitToPython(definition, places);
    this.#definition = fitted.definition;
    if (fitted.withheld !== undefined) this.withheld.push({ kind: 'interpreter', path: fitted.withheld });
  }

  async run(signal: AbortSignal): Promise<DetectedServer | undefined> {
    const definition = this.#definition;
    if (this.#isUntrusted && this.#isUnusable()) return undefined;
    const command = definition.embedded === undefined ? undefined : this.#embedded(definition.embedded);
    if (command) return this.#found(command, fileOf(command), 'embedded');
    const [program = '', ...args] = definition.command;
    const own = workspaceBins(this.#places.workspaceDir);
    const directories = [...own, ...searchPath(this.#places.env)];
    const names = [program, ...(definition.binaryNames ?? [])];
    for (const path of names.flatMap((name) => executablesNamed(name, directories, this.#places.env))) {
      if (!this.#mayRun(path) || !(await this.#answersProbe(path, signal))) continue;
      const origin = own.some((directory) => path.startsWith(directory)) ? 'workspace' : 'path';
      return this.#found([path, ...args], path, origin);
    }
    return undefined;
  }

  /** A program that an untrusted workspace supplies is withheld. */
  #mayRun(path: string): boolean {
    if (!this.#isUntrusted || !isSupplied(path, this.#extent)) return true;
    this.withheld.push({ kind: 'server', path });
    return false;
  }

  get #isUntrusted(): boolean {
    return this.#places.trust === 'untrusted';
  }

  /**
   * Whether the server would execute programs of the workspace whichever binary is started, or was named by the
   * workspace.
   */
  #isUnusable(): boolean {
    const { loadsWorkspaceModules, declaredIn } = this.#definition;
    const isDeclaredInside = declaredIn !== undefined && isSupplied(declaredIn, this.#extent);
    if (isDeclaredInside) this.withheld.push({ kind: 'configuration', path: declaredIn });
    return isDeclaredInside || loadsWorkspaceModules === true;
  }

  #found(command: readonly string[], path: string, origin: DetectedServer['origin']): DetectedServer {
    return { definition: this.#definition, command, path, origin, withheld: this.withheld };
  }

  /** The argv of a server of this package; a trusted workspace that pins its own TypeScript 7 uses that one. */
  #embedded(server: NonNullable<ServerDefinition['embedded']>): readonly string[] | undefined {
    const { workspaceDir } = this.#places;
    const pinned = server === 'typescript' ? pinnedTypeScript(workspaceDir) : undefined;
    if (pinned !== undefined && this.#isUntrusted) this.withheld.push({ kind: 'server', path: pinned });
    try {
      return resolveEmbedded(server, this.#isUntrusted ? undefined : workspaceDir);
    } catch (thrown) {
      if (thrown instanceof EmbeddedServerMissing) return undefined;
      throw thrown;
    }
  }

  async #answersProbe(path: string, signal: AbortSignal): Promise<boolean> {
    const { probe } = this.#definition;
    if (probe === undefined) return true;
    const limits = { timeoutMs: probeTimeoutMs, maxOutputBytes: 4096 };
    // The program behind a launcher is searched on the PATH, too.
    const { env } = this.#places;
    const inherited = this.#isUntrusted ? environmentOutside(env, this.#extent) : env;
    try {
      const probed = await runCommand(
        { command: [path, ...probe], cwd: '/', env: inherited, ...limits },
        signal,
      );
      return probed.code === 0;
    } catch (thrown) {
      if (thrown instanceof CommandNotFound || thrown instanceof SpawnFailed) return false;
      throw thrown;
    }
  }
}

/** For a server written for Node, the script rather than Node. */
function fileOf([program = '', script]: readonly string[]): string {
  return program === process.execPath && script !== undefined ? script : program;
}

/** How long a program may take to print its version; the first start from a cold disk is slow. */
const probeTimeoutMs = 10_000;

function workspaceBins(workspaceDir: string): readonly string[] {
  return [join(workspaceDir, 'node_modules', '.bin'), ...virtualEnvironmentBins(workspaceDir)];
}

/**
 * Runs cargo on a project once for every selection of its packages, and finds which files the compiler read.
 *
 * Invariant: files written by a confined program are read inside its confinement only. A dep-info file counts for a
 * run if it was written during that run, or if cargo reports its target as up to date.
 */
import type { CommandResult } from '../../process/run-command.ts';
import type { CargoRun } from './cargo-messages.ts';
import type { CfgSettings } from './cfg-predicate.ts';

/** A mount that cargo can be run in. */
export interface CargoSite {
  readonly root: string;
  /** Its build directory. */
  readonly buildDirectory: string;
  run(command: readonly string[], cwd: string): Promise<CommandResult>;
  readText(path: string): Promise<string | undefined>;
}

/** Facts learned in a mount, valid as long as the mount: a later run finds targets compiled by an earlier one. */
export interface CargoMemory {
  /** The options that the compiler sets by itself. */
  ofCompiler: readonly string[] | undefined;
  /** By the dep-info file of a target. */
  readonly settings: Map<string, CfgSettings>;
  readonly listings: Map<string, string>;
  /** By project, the state of the disk in which checking all packages compiled every unit of the other selections. */
  readonly covered: Map<string, number>;
}

export function cargoMemory(): CargoMemory {
  return { ofCompiler: undefined, settings: new Map(), listings: new Map(), covered: new Map() };
}

export interface CargoRuns {
  readonly runs: readonly CargoRun[];
  readonly timedOut: boolean;
  /** The dep-info files written meanwhile. */
  readonly written: ReadonlySet<string>;
}

/** Between the outputs of two commands, and before every dep-info file; no path contains it. */
const separator = '\u001e';

export async function runCargo(
  commands: readonly (readonly string[])[],
  site: CargoSite,
  { directory, memory }: { readonly directory: string; readonly memory: CargoMemory },
): Promise<CargoRuns> {
  const script = [
    'mkdir -p "$1" && stamp=$1/forerun-stamp && : > "$stamp"',
    // If one is killed, so is the shell; then there is no more output.
    ...commands.map((words) => `${quoted(words)}; printf '\\036%s\\n' "$?"; printf '\\036' >&2`),
    memory.ofCompiler ? '' : 'rustc --print cfg',
    'find "$1" \\( -name incremental -o -name .fingerprint \\) -prune -o -name "*.d" -newer "$stamp" -print |',
    printing,
  ];
  const command = ['/bin/sh', '-c', script.join('\n'), 'sh', site.buildDirectory];
  const { code, stdout, stderr, timedOut } = await site.run(command, directory);
  const outputs = stdout.split(separator);
  const errors = stderr.split(separator);
  const runs = commands.map((_, at): CargoRun => {
    // Every output but the first is preceded by the exit code of the command before.
    const own = outputs[at] ?? '';
    const next = outputs[at + 1];
    return {
      code: next === undefined ? code : Number(next.slice(0, next.indexOf('\n'))),
      stdout: at === 0 ? own : own.slice(own.indexOf('\n') + 1),
      stderr: errors[at] ?? '',
    };
  });
  const [rest = '', ...listings] = outputs.slice(commands.length);
  const printed = rest.split('\n').slice(1).filter(Boolean);
  if (printed.length > 0) memory.ofCompiler ??= printed;
  return { runs, timedOut, written: remember(listings, memory) };
}

/** Reads dep-info files of targets that were up to date already. */
export async function readListings(
  files: readonly string[],
  site: CargoSite,
  memory: CargoMemory,
): Promise<void> {
  if (files.length === 0) return;
  const { stdout } = await site.run(
    ['/bin/sh', '-c', `printf '%s\\n' "$@" |\n${printing}`, 'sh', ...files],
    site.root,
  );
  remember(stdout.split(separator).slice(1), memory);
}

/** Prints every file whose name it reads, preceded by its name. */
const printing = `while IFS= read -r file; do printf '\\036%s\\n' "$file"; cat "$file"; done`;

function remember(listings: readonly string[], memory: CargoMemory): ReadonlySet<string> {
  const names = new Set<string>();
  for (const text of listings) {
    const end = text.indexOf('\n');
    names.add(text.slice(0, end));
    memory.listings.set(text.slice(0, end), text.slice(end + 1));
  }
  return names;
}

function quoted(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
}

/**
 * The targets of a workspace that one run of cargo compiled or found up to date, with their settings.
 *
 * Invariant: a unit is identified by its dep-info file. For a unit that was compiled in this run all settings are
 * known; for one that was up to date, those that cargo reports.
 */
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { CfgSettings } from './cfg-predicate.ts';

export interface CargoUnit {
  readonly depInfo: string;
  readonly settings: CfgSettings;
  /**
   * Whether its sources count only if they were listed during this run: its compilation began and may not have ended.
   */
  readonly isBegun: boolean;
}

export interface UnitRequest {
  readonly stdout: string;
  /** The output of a verbose run, which quotes every command. */
  readonly stderr: string;
  /** The directory that cargo was started in. */
  readonly directory: string;
  /** The workspace; targets outside of it do not count. */
  readonly root: string;
  /** The options that the compiler sets by itself on this machine. */
  readonly ofCompiler: readonly string[];
}

export function cargoUnits(request: UnitRequest): readonly CargoUnit[] {
  const units = new Map(foundUnits(request).map((unit) => [unit.depInfo, unit]));
  const ended = new Set(units.keys());
  for (const unit of begunUnits(request))
    units.set(unit.depInfo, { ...unit, isBegun: !ended.has(unit.depInfo) });
  return [...units.values()];
}

/**
 * The output files of every unit that a run compiled or found up to date, dependencies included. Their names contain
 * cargo's hash of the features and dependencies of the unit.
 */
export function outputsIn(stdout: string): ReadonlySet<string> {
  const records = stdout.split('\n').flatMap((line) => recordIn(line) ?? []);
  return new Set(
    records.flatMap(({ reason, filenames }) => (reason === 'compiler-artifact' ? (filenames ?? []) : [])),
  );
}

interface ArtifactRecord {
  readonly reason?: string;
  readonly package_id?: string;
  readonly target?: {
    readonly src_path?: string;
    readonly kind?: readonly string[];
    readonly crate_types?: readonly string[];
  };
  readonly profile?: { readonly test?: boolean; readonly debug_assertions?: boolean };
  readonly features?: readonly string[];
  readonly filenames?: readonly string[];
  readonly cfgs?: readonly string[];
}

function foundUnits({ stdout, root, ofCompiler }: UnitRequest): readonly CargoUnit[] {
  const records = stdout.split('\n').flatMap((line) => recordIn(line) ?? []);
  const byBuildScript = new Map(
    records.flatMap(({ reason, package_id, cfgs }) =>
      reason === 'build-script-executed' && package_id && cfgs ? [[package_id, cfgs] as const] : [],
    ),
  );
  return records.flatMap(({ reason, package_id = '', target, profile, features, filenames }) => {
    const depInfo = depInfoOf(filenames ?? []);
    if (reason !== 'compiler-artifact' || !depInfo || !isInside(target?.src_path ?? '/', root)) return [];
    const set = new Set([
      ...ofCompiler.filter((option) => option !== 'debug_assertions'),
      ...(byBuildScript.get(package_id) ?? []),
      ...(features ?? []).map((feature) => `feature="${feature}"`),
      ...(profile?.test ? ['test'] : []),
      ...(profile?.debug_assertions ? ['debug_assertions'] : []),
      ...(target?.crate_types?.includes('proc-macro') ? ['proc_macro'] : []),
    ]);
    return [{ depInfo, settings: { set, isWhole: false }, isBegun: false }];
  });
}

/** A program of the workspace can write between cargo's lines; lines that are no record are skipped. */
function recordIn(line: string): ArtifactRecord | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The dep-info file lies beside the output, under the same name. */
function depInfoOf(files: readonly string[]): string | undefined {
  for (const file of files) {
    const library = /^(?:lib)?(.+-[0-9a-f]{16})\.(?:rmeta|rlib|so|dylib|dll)$/.exec(basename(file))?.[1];
    if (library) return join(dirname(file), `${library}.d`);
    const script = /^build[-_]script[-_]/.test(basename(file));
    const hash = /-([0-9a-f]{16})$/.exec(dirname(file))?.[1];
    if (script && hash)
      return join(
        dirname(file),
        `${basename(file)
          .replaceAll('-', '_')
          .replace(/\.exe$/, '')}-${hash}.d`,
      );
  }
  return undefined;
}

function begunUnits({ stderr, directory, root, ofCompiler }: UnitRequest): readonly CargoUnit[] {
  return stderr.split('\n').flatMap((line) => {
    const command = /^\s+Running `(.*)`$/.exec(line)?.[1];
    if (command === undefined || !command.includes('--crate-name')) return [];
    const words = shellWords(command);
    const all = (option: string) => words.flatMap((word, at) => (words[at - 1] === option ? [word] : []));
    const [name = ''] = all('--crate-name');
    const [outDirectory = ''] = all('--out-dir');
    const suffix = all('-C').find((option) => option.startsWith('extra-filename='));
    const source = words.find((word) => /^[^-].*\.rs$/.test(word));
    if (!name || !outDirectory || !suffix || !source || !isInside(resolve(directory, source), root))
      return [];
    // The options of another platform differ from those the compiler prints here.
    const isForeign = words.includes('--target');
    const set = new Set([
      ...(isForeign ? [] : ofCompiler),
      ...all('--cfg'),
      ...(words.includes('--test') ? ['test'] : []),
      ...(all('--crate-type').includes('proc-macro') ? ['proc_macro'] : []),
    ]);
    if (all('-C').some((option) => /^debug-assertions=(?:off|no|n|false)$/.test(option)))
      set.delete('debug_assertions');
    const depInfo = join(outDirectory, `${name}${suffix.slice('extra-filename='.length)}.d`);
    return [{ depInfo, settings: { set, isWhole: !isForeign }, isBegun: true }];
  });
}

/** The words of a command as quoted by cargo. */
function shellWords(command: string): readonly string[] {
  const words = command.match(/(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\])+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g, (_, single, double, escaped) =>
      String(single ?? escaped ?? String(double).replace(/\\(.)/g, '$1')),
    ),
  );
}

/** The sources in a dep-info file, relative to the workspace. */
export function sourcesIn(
  listing: string,
  { directory, root }: { readonly directory: string; readonly root: string },
): readonly string[] {
  return listing.split('\n').flatMap((line) => {
    // Sources are found by the empty rule that each one has, which keeps make from failing if it is missing.
    const file = /^(\S(?:\\ |[^\s])*):$/.exec(line)?.[1]?.replaceAll('\\ ', ' ');
    if (file === undefined) return [];
    const path = relative(root, resolve(directory, file));
    return path.startsWith('..') || isAbsolute(path) ? [] : [path.replaceAll('\\', '/')];
  });
}

function isInside(file: string, root: string): boolean {
  const path = relative(root, file);
  return path !== '' && !path.startsWith('..') && !isAbsolute(path);
}

/**
 * Runs cargo on the mounted workspace: the problems of every target, and which files the compiler read for which
 * targets.
 *
 * Invariant: every project that contains one of the files is checked. A file counts as checked if the run completed
 * or if a target was compiled that read it. The settings it was compiled with are recorded, since a file that no
 * target reads, or a part excluded by a condition, was not checked.
 */
import { join } from 'node:path';
import type { Diagnostic } from '../../lsp/diagnostic.ts';
import type { WorkspacePath } from '../../workspace/workspace-path.ts';
import type { FileDiagnostics, Proof } from '../proof.ts';
import { readCargoRun } from './cargo-messages.ts';
import { cargoProjects, manifestIn, manifestName, selectionsOf } from './cargo-project.ts';
import { type CargoRefusal, cargoRefusal } from './cargo-refusal.ts';
import { type CargoMemory, type CargoRuns, type CargoSite, readListings, runCargo } from './cargo-run.ts';
import { cargoUnits, outputsIn, sourcesIn } from './cargo-unit.ts';
import type { CfgSettings } from './cfg-predicate.ts';

export interface CargoRequest {
  readonly paths: readonly WorkspacePath[];
  readonly memory: CargoMemory;
  /**
   * The state of the disk that the shown files have, but for the text of sources; undefined if files that choose units were
   * changed, created or removed.
   */
  readonly plainDisk: number | undefined;
}

/** Cargo's diagnostics for `paths`; undefined if there is no cargo. */
export async function cargoCheck(
  command: readonly string[],
  site: CargoSite,
  { paths, memory, plainDisk }: CargoRequest,
): Promise<readonly FileDiagnostics[] | undefined> {
  const has = async (path: string) => (await site.readText(path)) !== undefined;
  const projects = await cargoProjects(paths, has);
  if (projects.length === 0)
    return paths.map((path) => ({ path, diagnostics: [], proof: failed(`there is no ${manifestName}`) }));
  const answers = new Map<WorkspacePath, FileDiagnostics>();
  for (const project of projects) {
    const checked = await checkProject(command, site, { project, memory, plainDisk });
    if (!checked) return undefined;
    const inProject = paths.filter((path) => project === '' || path.startsWith(`${project}/`));
    for (const answer of answersOf(checked, inProject)) answers.set(answer.path, answer);
  }
  const outside = failed('it belongs to no package');
  return paths.map((path) => answers.get(path) ?? { path, diagnostics: [], proof: outside });
}

type ProjectRequest = Omit<CargoRequest, 'paths'> & { readonly project: string };

interface CheckedProject {
  readonly problems: ReadonlyMap<string, ReadonlyMap<string, Diagnostic>>;
  readonly refusals: readonly CargoRefusal[];
  readonly failure: string | undefined;
  readonly isLate: boolean;
  readonly compiledIn: ReadonlyMap<string, readonly CfgSettings[]>;
}

/** The exit code of a shell if the program does not exist. */
const notFoundCode = 127;

/** Without it cargo stops at the first target that fails, and which others it had begun by then is random. */
const everyTarget = ['--keep-going'];

/** Cargo before 1.74 does not support it. */
function isUnknownOption(stderr: string): boolean {
  return /^error: .*'--keep-going'/m.test(stderr);
}

async function checkProject(
  command: readonly string[],
  site: CargoSite,
  { project, memory, plainDisk }: ProjectRequest,
): Promise<CheckedProject | undefined> {
  const { root } = site;
  const directory = join(root, project);
  const selections = selectionsOf((await site.readText(manifestIn(project))) ?? '').slice(
    0,
    isCovered({ project, memory, plainDisk }) ? 1 : undefined,
  );
  const run = (further: readonly string[]): Promise<CargoRuns> => {
    const commands = selections.map((selection) => [...command, ...further, ...selection]);
    return runCargo(commands, site, { directory, memory });
  };
  const first = await run(everyTarget);
  const ran = first.runs.some(({ stderr }) => isUnknownOption(stderr)) ? await run([]) : first;
  rememberCovered(ran, { project, memory, plainDisk });
  const problems = new Map<string, Map<string, Diagnostic>>();
  const refusals: CargoRefusal[] = [];
  let failure: string | undefined;
  for (const run of ran.timedOut ? [] : ran.runs) {
    if (run.code === notFoundCode && run.stdout === '') return undefined;
    const report = readCargoRun(run, { root, directory });
    mergeProblems(problems, report.problems);
    const refusal = cargoRefusal(run, { root, project });
    failure ??= refusal?.diagnostic.message ?? report.failure;
    // Further runs are refused for the same reason.
    if (refusal && refusals.length === 0) refusals.push(refusal);
  }
  const compiledIn = await compiledFiles(site, ran, { directory, memory });
  return { problems, refusals, failure, isLate: ran.timedOut, compiledIn };
}

/**
 * Whether checking all packages compiles every unit of the other selections, with the same features. Units follow from
 * manifests and the files that are targets, not from the text of sources: while those stay, the other selections only
 * repeat what failed.
 */
function isCovered({ project, memory, plainDisk }: ProjectRequest): boolean {
  return plainDisk !== undefined && memory.covered.get(project) === plainDisk;
}

/** A run that failed does not report all of its units. */
function rememberCovered(
  { runs, timedOut }: CargoRuns,
  { project, memory, plainDisk }: ProjectRequest,
): void {
  const [first, ...others] = runs;
  if (plainDisk === undefined || timedOut || !first || runs.some(({ code }) => code !== 0)) return;
  const outputs = outputsIn(first.stdout);
  if (others.every(({ stdout }) => [...outputsIn(stdout)].every((file) => outputs.has(file))))
    memory.covered.set(project, plainDisk);
}

/** Several targets report the same problem of a file. */
function mergeProblems(
  merged: Map<string, Map<string, Diagnostic>>,
  found: Iterable<readonly [string, readonly Diagnostic[]]>,
): void {
  for (const [path, diagnostics] of found) {
    const all = merged.get(path) ?? new Map<string, Diagnostic>();
    merged.set(path, all);
    for (const diagnostic of diagnostics) all.set(JSON.stringify(diagnostic), diagnostic);
  }
}

/** For every file, the settings of the targets that were compiled with it. */
async function compiledFiles(
  site: CargoSite,
  { runs, timedOut, written }: CargoRuns,
  { directory, memory }: { readonly directory: string; readonly memory: CargoMemory },
): Promise<ReadonlyMap<string, readonly CfgSettings[]>> {
  const compiled = new Map<string, CfgSettings[]>();
  if (timedOut) return compiled;
  const { root } = site;
  const { ofCompiler = [], settings: known, listings } = memory;
  const units = runs
    .flatMap(({ stdout, stderr }) => cargoUnits({ stdout, stderr, directory, root, ofCompiler }))
    .filter(({ isBegun, depInfo }) => !isBegun || written.has(depInfo));
  const unlisted = units.filter(({ depInfo }) => !listings.has(depInfo)).map(({ depInfo }) => depInfo);
  await readListings([...new Set(unlisted)], site, memory);
  for (const { depInfo, settings } of units) {
    if (settings.isWhole) known.set(depInfo, settings);
    const current = settings.isWhole ? settings : (known.get(depInfo) ?? settings);
    for (const path of sourcesIn(listings.get(depInfo) ?? '', { directory, root })) {
      const all = compiled.get(path);
      if (all) all.push(current);
      else compiled.set(path, [current]);
    }
  }
  return compiled;
}

function answersOf(
  { problems, refusals, failure, isLate, compiledIn }: CheckedProject,
  paths: readonly WorkspacePath[],
): readonly FileDiagnostics[] {
  const asked = new Set<string>(paths);
  const refused = new Map<string, readonly Diagnostic[]>();
  for (const { places, diagnostic } of refusals) {
    const place = places.find((each) => asked.has(each));
    if (place !== undefined) refused.set(place, [...(refused.get(place) ?? []), diagnostic]);
  }
  return paths.map((path) => {
    const diagnostics = [...(problems.get(path)?.values() ?? []), ...(refused.get(path) ?? [])];
    return { path, diagnostics, proof: proofOf(path) };
  });

  function proofOf(path: WorkspacePath): Proof {
    if (isLate) return { kind: 'none', reason: 'timeout' };
    const settings = compiledIn.get(path);
    if (failure !== undefined && settings === undefined && !refused.has(path)) return failed(failure);
    return path.endsWith('.rs') ? { kind: 'checked', compiledIn: settings ?? [] } : { kind: 'checked' };
  }
}

function failed(why: string): Proof {
  return { kind: 'none', reason: 'failed', why };
}

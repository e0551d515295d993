/** `forerun init`: connects a coding agent by writing our entry and our rules into its files, or removes them. */
import { basename } from 'node:path';
import type { Log } from '../../base/log.ts';
import { packageRoot } from '../../host/package-root.ts';
import { shippedSkills } from '../../host/shipped-skills.ts';
import { trustStore } from '../../host/user-trust.ts';
import { detectServers } from '../../servers/server-detection.ts';
import { stateDirectory } from '../../storage/user-directories.ts';
import { catalogue } from '../../tools/catalogue.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { HookMode } from '../hook/hook-judgement.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { clientTargets, targetNamed } from './client-catalogue.ts';
import { type ClientTarget, customTarget, type Places } from './client-target.ts';
import { hookTargets } from './hook-target.ts';
import { launchOf } from './launch.ts';
import { placesOf, typedPath } from './places.ts';
import { Questions } from './question.ts';
import { NoTarget, UnknownTarget } from './setup-failure.ts';
import { planRemoval, planSetup, type SetupPlan } from './setup-plan.ts';

export interface InitOptions {
  /** Ids of clients; empty: ask or, without questions, take the first one. */
  readonly targets: readonly string[];
  /** A configuration file of an unknown client. */
  readonly path?: string;
  /** Absent: `core`, and options in an existing entry stay. */
  readonly toolset?: 'full' | 'core';
  /** Whether hooks are written too, and what they do. */
  readonly hooks?: HookMode;
  readonly interaction: 'ask' | 'none';
  readonly change: 'connect' | 'remove';
  readonly effect: 'write' | 'show';
  readonly log: Log;
}

/** The answers to all questions. */
interface Choice {
  readonly targets: readonly ClientTarget[];
  /** Undefined if the user was not asked. */
  readonly servers: readonly string[] | undefined;
}

export async function initCommand({ signal }: ProcessLifetime, options: InitOptions): Promise<ExitCode> {
  const places = placesOf(process.env, process.cwd());
  const { targets, servers } = await chosen(options, places, signal);
  const outcome = { effect: options.effect, project: places.project };
  if (options.change === 'remove') {
    await carryOut(await planRemoval(targets, places), outcome, signal);
    return exitCodes.good;
  }
  const launch = launchOf(
    process.env,
    { root: packageRoot(), node: process.execPath },
    { servers: servers ?? [], toolset: options.toolset ?? 'core' },
  );
  const plan = await planSetup({
    targets,
    places,
    launch,
    options: servers === undefined && options.toolset === undefined ? 'keep' : 'replace',
    rules: { tools: catalogue, skills: await shippedSkills(options.log) },
    hooks: options.hooks,
  });
  await carryOut(plan, outcome, signal);
  if (options.effect === 'write') {
    process.stdout.write(targets.map(({ name, next }) => `${name}: ${next}\n`).join(''));
    if (options.hooks) process.stdout.write(targets.map(hookLine).join(''));
    if (launch.command === process.execPath) process.stdout.write(localNote(packageRoot()));
  }
  return exitCodes.good;
}

/** What is left for the user to do about hooks, or that the client has none. */
function hookLine({ id, name }: ClientTarget): string {
  const target = hookTargets.find((each) => each.id === id);
  if (!target) return `${name}: this client runs no hooks.\n`;
  return target.next === undefined ? '' : `${name}: ${target.next}\n`;
}

function localNote(root: string): string {
  return `The entry starts the program in ${root}, which is on this machine only.\n`;
}

/** Without a terminal, the client must be named or the questions declined; showing changes nothing. */
async function chosen(options: InitOptions, places: Places, signal: AbortSignal): Promise<Choice> {
  const named = namedTargets(options, places);
  if (options.interaction === 'ask' && process.stdin.isTTY === true) {
    if (options.change === 'connect') return ask(named, { places, log: options.log }, signal);
    if (named.length > 0) return { targets: named, servers: undefined };
    using questions = new Questions(signal);
    return { targets: [await askTarget(questions, places)], servers: undefined };
  }
  const isExplicit = named.length > 0 || options.interaction === 'none' || options.effect === 'show';
  if (!isExplicit) throw new NoTarget();
  return { targets: named.length > 0 ? named : clientTargets.slice(0, 1), servers: undefined };
}

/** Writes the plan or shows it, and lists the affected files. */
async function carryOut(
  { files, planned }: SetupPlan,
  { effect, project }: { readonly effect: 'write' | 'show'; readonly project: string },
  signal: AbortSignal,
): Promise<void> {
  if (effect === 'show') process.stdout.write(await files.diff(project));
  else await files.commit(stateDirectory(process.env), signal);
  const verb = effect === 'show' ? 'would write' : 'wrote';
  for (const each of planned) {
    process.stdout.write(`${each.effect === 'same' ? 'unchanged' : verb} ${each.file}\n`);
  }
}

function namedTargets({ targets, path }: InitOptions, places: Places): readonly ClientTarget[] {
  const named = targets.map((id) => {
    const target = targetNamed(id);
    if (target) return target;
    throw new UnknownTarget(
      id,
      clientTargets.map((known) => known.id),
    );
  });
  return path === undefined ? named : [...named, customTarget(typedPath(path, places))];
}

async function ask(
  named: readonly ClientTarget[],
  { places, log }: { readonly places: Places; readonly log: Log },
  signal: AbortSignal,
): Promise<Choice> {
  using questions = new Questions(signal);
  const servers = await askServers(questions, { places, log }, signal);
  return { servers, targets: named.length > 0 ? named : [await askTarget(questions, places)] };
}

async function askTarget(questions: Questions, places: Places): Promise<ClientTarget> {
  const names = [...clientTargets.map(({ name }) => name), 'Another file'];
  const target = clientTargets[await questions.choose('Which client?', names)];
  return target ?? customTarget(typedPath(await questions.text('Path of its configuration file:'), places));
}

/**
 * The servers to name in the entry. None means detection at every start, which also finds servers installed later.
 */
async function askServers(
  questions: Questions,
  { places, log }: { readonly places: Places; readonly log: Log },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const trust = trustStore({ env: process.env, log }).trustOf(places.project);
  const searched = { workspaceDir: places.project, env: process.env, trust };
  const { servers: found } = await detectServers(searched, signal);
  const list = found.map(({ definition }) => `  ${definition.name} (${definition.languages.join(', ')})\n`);
  process.stdout.write(`Language servers found here:\n${list.join('')}`);
  if (found.length === 0 || (await questions.confirm('Use all of them, detected at every start?', 'yes'))) {
    return [];
  }
  const chosen: string[] = [];
  for (const { definition, origin, path } of found) {
    if (!(await questions.confirm(`  Use ${definition.name}?`, 'no'))) continue;
    // A program on the search path is written by name, which also works on other machines.
    const program = origin === 'workspace' ? path : basename(path);
    const command = origin === 'embedded' ? [definition.name] : [program, ...definition.command.slice(1)];
    chosen.push(...definition.languages.slice(0, 1).map((language) => `${language}:${command.join(',')}`));
  }
  return chosen;
}

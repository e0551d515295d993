/**
 * The changes that set-up or removal makes in the files of the clients.
 *
 * Invariant: a plan is complete or fails; planning writes nothing.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { HookMode } from '../hook/hook-judgement.ts';
import { clientTargets } from './client-catalogue.ts';
import type { ClientLaunch, ClientTarget, ConfigPlace, Places } from './client-target.ts';
import { type EntryRequest, hasEntry, mergeEntry, removeEntry } from './config-entry.ts';
import { withHooks, withoutHooks } from './hook-entry.ts';
import { hookTargets, momentsOf } from './hook-target.ts';
import { type SectionName, withoutSection, withSection } from './managed-section.ts';
import { type RulesContent, rulesText } from './rules-text.ts';
import { isAccessible, isDirectory, SetupFiles } from './setup-files.ts';

interface PlannedFile {
  readonly file: string;
  readonly effect: 'changed' | 'same';
}

export interface SetupPlan {
  readonly files: SetupFiles;
  readonly planned: readonly PlannedFile[];
}

export interface SetupRequest {
  readonly targets: readonly ClientTarget[];
  readonly places: Places;
  readonly launch: ClientLaunch;
  /** Whether options in an existing entry stay. */
  readonly options: 'keep' | 'replace';
  readonly rules: Omit<RulesContent, 'audience'>;
  /** Whether hooks are written, and what they do. */
  readonly hooks?: HookMode | undefined;
}

export async function planSetup(request: SetupRequest): Promise<SetupPlan> {
  const { places } = request;
  const plan = new Planning();
  for (const { id, configs, rules } of request.targets) {
    for (const alternatives of configs) {
      const place = await chosenPlace(alternatives, places);
      if (place === undefined) continue;
      const file = place.file(places);
      await plan.edit(file, (text) => mergeEntry({ file, place }, text, entryFor(place, request)));
    }
    await planHooks(plan, id, request);
    if (rules === undefined) continue;
    const file = await rulesFile(rules.file(places));
    const body = rulesText({ ...request.rules, audience: rules.audience });
    await plan.edit(file, (text) => withSection({ file, name: 'rules' }, text ?? rules.head ?? '', body));
  }
  return plan.done();
}

/** The first file that exists, otherwise the last; none where the client is not installed. */
async function chosenPlace(
  alternatives: readonly ConfigPlace[],
  places: Places,
): Promise<ConfigPlace | undefined> {
  for (const place of alternatives) if (await isAccessible(place.file(places))) return place;
  const place = alternatives.at(-1);
  const isAbsent =
    place?.when === 'its directory exists' && !(await isAccessible(dirname(place.file(places))));
  return isAbsent ? undefined : place;
}

function entryFor({ shape }: ConfigPlace, { launch, options }: SetupRequest): EntryRequest {
  const { command, args, leading } = launch;
  const { fields: kept } = shape({ command, args: args.slice(0, leading) });
  return { ...shape(launch), ...(options === 'keep' && { kept }) };
}

export async function planRemoval(targets: readonly ClientTarget[], places: Places): Promise<SetupPlan> {
  const plan = new Planning();
  const staying = await sharedRules(targets, places);
  for (const { id, configs, former = [], rules } of targets) {
    await planHookRemoval(plan, id, places);
    for (const place of [...configs.flat(), ...former]) {
      const file = place.file(places);
      await plan.edit(file, (text) => (text === undefined ? undefined : removeEntry({ file, place }, text)));
    }
    if (rules === undefined) continue;
    const file = await rulesFile(rules.file(places));
    if (staying.has(file)) continue;
    await plan.edit(file, (text) => (text === undefined ? undefined : withoutOurs(file, text, rules.head)));
  }
  return plan.done();
}

async function planHooks(
  plan: Planning,
  id: string,
  { places, launch, hooks: mode }: Pick<SetupRequest, 'places' | 'launch' | 'hooks'>,
): Promise<void> {
  const target = hookTargets.find((each) => each.id === id);
  if (mode === undefined || target === undefined) return;
  const file = target.file(places);
  // The last of the leading arguments is `mcp`, which a hook has another command for.
  const start = launch.args.slice(0, launch.leading - 1);
  const words = [launch.command, ...start, 'hook', '--mode', mode];
  const request = { file, form: target.form, moments: momentsOf(target, mode), words };
  await plan.edit(file, (text) => withHooks(request, text));
}

async function planHookRemoval(plan: Planning, id: string, places: Places): Promise<void> {
  const target = hookTargets.find((each) => each.id === id);
  if (target === undefined) return;
  const file = target.file(places);
  await plan.edit(file, (text) =>
    text === undefined ? undefined : withoutHooks({ file, form: target.form }, text),
  );
}

/** The table of skills may be in a file that no client of ours writes rules to. */
export async function planWholeRemoval(places: Places): Promise<SetupPlan> {
  return planRemoval(
    [...clientTargets, { id: 'skills', name: 'Skills', configs: [], rules: skillRules, next: '' }],
    places,
  );
}

const skillRules = { file: ({ project }: Places) => join(project, 'AGENTS.md'), audience: 'any' } as const;

/** Rules files of clients that stay connected, which others may share. */
async function sharedRules(removed: readonly ClientTarget[], places: Places): Promise<ReadonlySet<string>> {
  const files = new Set<string>();
  for (const target of clientTargets.filter((each) => !removed.includes(each))) {
    if (target.rules === undefined || !(await isConnected(target, places))) continue;
    files.add(await rulesFile(target.rules.file(places)));
  }
  return files;
}

async function isConnected({ configs }: ClientTarget, places: Places): Promise<boolean> {
  for (const place of configs.flat()) {
    const file = place.file(places);
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text !== undefined && hasEntry({ file, place }, text)) return true;
  }
  return false;
}

/** A file that contains only our text is removed with it. */
function withoutOurs(file: string, text: string, head: string | undefined): string | undefined {
  const names: readonly SectionName[] = ['rules', 'skills'];
  const left = names.reduce((kept, name) => withoutSection({ file, name }, kept), text);
  return left !== text && [undefined, '', head?.trim()].includes(left.trim()) ? undefined : left;
}

/** Some clients read a file or every file of a directory, whichever is there. */
async function rulesFile(place: string): Promise<string> {
  const isFolder = place.endsWith(sep);
  const bare = isFolder ? place.slice(0, -sep.length) : place;
  if (await isDirectory(bare)) return join(bare, 'forerun.md');
  return isFolder && !(await isAccessible(bare)) ? join(bare, 'forerun.md') : bare;
}

class Planning {
  readonly #files = new SetupFiles();
  readonly #planned = new Map<string, PlannedFile['effect']>();

  /** A file that several clients share is planned once. */
  async edit(file: string, change: (text: string | undefined) => string | undefined): Promise<void> {
    const effect = await this.#files.edit(file, change);
    this.#planned.set(file, this.#planned.get(file) === 'changed' ? 'changed' : effect);
  }

  done(): SetupPlan {
    return { files: this.#files, planned: [...this.#planned].map(([file, effect]) => ({ file, effect })) };
  }
}

/**
 * The changes that set-up or removal makes in the files of the clients.
 *
 * Invariant: a plan is complete or fails; planning writes nothing.
 */
import { dirname, join } from 'node:path';
import { type ClientLaunch, type ClientTarget, clientEntryOf, type Places } from './client-target.ts';
import { type EntryRequest, mergeEntry, removeEntry } from './config-entry.ts';
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
  readonly lists: EntryRequest['lists'];
  readonly rules: Omit<RulesContent, 'audience'>;
}

export async function planSetup(request: SetupRequest): Promise<SetupPlan> {
  const { places, launch, lists } = request;
  const plan = new Planning();
  for (const { configs, rules } of request.targets) {
    for (const place of configs) {
      const file = place.file(places);
      if (place.when === 'its directory exists' && !(await isAccessible(dirname(file)))) continue;
      const fields = clientEntryOf(place.shape, launch);
      await plan.edit(file, (text) => mergeEntry({ file, place }, text, { fields, lists }));
    }
    if (rules === undefined) continue;
    const file = await rulesFile(rules.file(places));
    const body = rulesText({ ...request.rules, audience: rules.audience });
    await plan.edit(file, (text) => withSection({ file, name: 'rules' }, text ?? rules.head ?? '', body));
  }
  return plan.done();
}

export async function planRemoval(targets: readonly ClientTarget[], places: Places): Promise<SetupPlan> {
  const plan = new Planning();
  for (const { configs, rules } of targets) {
    for (const place of configs) {
      const file = place.file(places);
      await plan.edit(file, (text) => (text === undefined ? undefined : removeEntry({ file, place }, text)));
    }
    if (rules === undefined) continue;
    const file = await rulesFile(rules.file(places));
    await plan.edit(file, (text) => (text === undefined ? undefined : withoutOurs(file, text, rules.head)));
  }
  // The table of skills may be in a file that no client of ours writes rules to.
  const shared = join(places.project, 'AGENTS.md');
  await plan.edit(shared, (text) => (text === undefined ? undefined : withoutOurs(shared, text, undefined)));
  return plan.done();
}

/** A file that contains only our text is removed with it. */
function withoutOurs(file: string, text: string, head: string | undefined): string | undefined {
  const names: readonly SectionName[] = ['rules', 'skills'];
  const left = names.reduce((kept, name) => withoutSection({ file, name }, kept), text);
  return left !== text && [undefined, '', head?.trim()].includes(left.trim()) ? undefined : left;
}

/** Some clients read every file of a directory that other clients read as a file. */
async function rulesFile(file: string): Promise<string> {
  return (await isDirectory(file)) ? join(file, 'forerun.md') : file;
}

class Planning {
  readonly #files = new SetupFiles();
  readonly #planned: PlannedFile[] = [];

  async edit(file: string, change: (text: string | undefined) => string | undefined): Promise<void> {
    this.#planned.push({ file, effect: await this.#files.edit(file, change) });
  }

  done(): SetupPlan {
    return { files: this.#files, planned: this.#planned };
  }
}

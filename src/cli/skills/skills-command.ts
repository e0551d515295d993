/** `forerun skills`: lists the workflows, and installs them for an agent. */
import { join } from 'node:path';
import type { Log } from '../../base/log.ts';
import { shippedSkills } from '../../host/shipped-skills.ts';
import { stateDirectory } from '../../storage/user-directories.ts';
import { counted } from '../../text/counted-noun.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';
import { withSection } from '../setup/managed-section.ts';
import { placesOf, typedPath } from '../setup/places.ts';
import { SetupFiles } from '../setup/setup-files.ts';
import { type InstallForm, install, type Placement, planInstall } from '../setup/skill-install.ts';
import { skillTable } from '../setup/skill-table.ts';

export interface SkillInstallOptions {
  /** The agent's folder for skills; default: the one in the user's home directory. */
  readonly folder: string | undefined;
  readonly form: InstallForm;
  readonly onForeign: 'skip' | 'replace';
  readonly effect: 'write' | 'show';
  readonly log: Log;
}

export async function listSkills(log: Log): Promise<ExitCode> {
  const skills = await shippedSkills(log);
  const width = Math.max(0, ...skills.map(({ name }) => name.length));
  for (const { name, description, plan } of skills) {
    const mark = plan ? ' (can be enforced)' : '';
    process.stdout.write(`${name.padEnd(width)}  ${description}${mark}\n`);
  }
  return skills.length > 0 ? exitCodes.good : exitCodes.unknown;
}

export async function installSkills(
  { signal }: ProcessLifetime,
  options: SkillInstallOptions,
): Promise<ExitCode> {
  const places = placesOf(process.env, process.cwd());
  const folder = options.folder ? typedPath(options.folder, places) : join(places.home, '.claude', 'skills');
  const skills = await shippedSkills(options.log);
  const { form, onForeign } = options;
  const placements = await planInstall({ skills, folder, form, onForeign });
  const files = new SetupFiles();
  const changed = await planTables(files, { project: places.project, table: sectionOf(skillTable(skills)) });
  if (options.effect === 'show') process.stdout.write(await files.diff(places.project));
  else {
    await install(placements);
    await files.commit(stateDirectory(process.env), signal);
  }
  const prefix = options.effect === 'show' ? 'would have ' : '';
  for (const placement of placements) process.stdout.write(`${lineOf(placement, prefix)}\n`);
  for (const file of changed) process.stdout.write(`${prefix}updated the table in ${file}\n`);
  const skipped = placements.filter(({ action }) => action === 'skip').length;
  const tail = skipped > 0 ? `, ${skipped} skipped` : '';
  process.stdout.write(`${counted(placements.length - skipped, 'skill')} in ${folder}${tail}\n`);
  return skipped > 0 ? exitCodes.bad : exitCodes.good;
}

/** Rules files of agents; only existing ones get the table. */
const rulesFiles = ['CLAUDE.md', 'AGENTS.md', 'GEMINI.md'] as const;

async function planTables(
  files: SetupFiles,
  { project, table }: { readonly project: string; readonly table: string },
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const name of rulesFiles) {
    const file = join(project, name);
    const effect = await files.edit(file, (text) =>
      text === undefined ? undefined : withSection({ file, name: 'skills' }, text, table),
    );
    if (effect === 'changed') changed.push(file);
  }
  return changed;
}

function sectionOf(table: string): string {
  return `## Workflows for code changes\n\n${table}`;
}

function lineOf({ action, form, path }: Placement, prefix: string): string {
  const done = form === 'link' ? 'linked' : 'copied';
  switch (action) {
    case 'create':
      return `${prefix}${done} ${path}`;
    case 'replace':
      return `${prefix}${done} ${path}, replacing the existing entry`;
    case 'present':
      return `kept ${path}`;
    case 'skip':
      return `skipped ${path}: another entry exists; --force replaces it`;
  }
}

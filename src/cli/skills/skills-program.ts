/** The arguments of `forerun skills`. */
import type { Command } from 'commander';
import type { CommandHost } from '../setup/setup-program.ts';

interface InstallFlags {
  readonly dest?: string;
  readonly copy?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

export function addSkills(program: Command, { lifetime, finish, log }: CommandHost): void {
  const skills = program.command('skills').description('show and install workflows for coding agents');
  skills
    .command('list')
    .description('list the skills')
    .action(async () => {
      const { listSkills } = await import('./skills-command.ts');
      finish(await listSkills(log()));
    });
  skills
    .command('install')
    .description('install the skills for an agent; exit 1 if one was skipped')
    .option('--dest <dir>', 'folder to install into (default: ~/.claude/skills)')
    .option('--copy', 'copy the skills instead of linking to this package')
    .option('--force', 'replace other entries with the same name')
    .option('--dry-run', 'show what would be done, and do nothing')
    .addHelpText('after', '\nExample:\n  forerun skills install --dry-run')
    .action(async ({ dest, copy, force, dryRun }: InstallFlags) => {
      const { installSkills } = await import('./skills-command.ts');
      const form = copy ? 'copy' : 'link';
      const onForeign = force ? 'replace' : 'skip';
      const effect = dryRun ? 'show' : 'write';
      finish(await installSkills(lifetime, { folder: dest, form, onForeign, effect, log: log() }));
    });
}

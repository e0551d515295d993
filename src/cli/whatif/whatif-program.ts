/** `forerun whatif` as a person types it. */
import { type Command, CommanderError, Option } from 'commander';
import { exitCodes } from '../exit-code.ts';
import { colorOption } from '../print/color-option.ts';
import type { ColorChoice } from '../print/palette.ts';
import type { CommandHost } from '../setup/setup-program.ts';
import { grantOf, trustOption } from '../trust/trust-option.ts';

interface WhatifFlags {
  readonly root?: string;
  readonly scope: 'file' | 'workspace';
  readonly timeout: number;
  readonly json?: boolean;
  readonly sarif?: boolean;
  readonly rank?: boolean;
  readonly staged?: boolean;
  readonly merge?: boolean;
  readonly onto?: string;
  readonly trust?: boolean;
  readonly color: ColorChoice;
}

export function addWhatif(program: Command, { lifetime, finish, log, milliseconds }: CommandHost): void {
  program
    .command('whatif')
    .description(
      'judge a change before it is committed; exit 0 clean, 1 broken, 2 no verdict, 64 wrong usage',
    )
    .argument(
      '[changes...]',
      'a patch file, - for standard input, a commit, range, branch, stash or worktree; none: the uncommitted changes',
    )
    .option('--staged', 'judge what is staged, as a commit would hold it')
    .option('--merge', 'judge what these branches and worktrees do together, before they are merged')
    .option('--onto <revision>', 'with --merge: what they are merged onto (default: HEAD)')
    .option(
      '--root <dir>',
      'directory the paths of the patch start from (default: the top of the repository)',
    )
    .addOption(
      new Option('--scope <scope>', 'how far to look').choices(['file', 'workspace']).default('workspace'),
    )
    .option('--timeout <ms>', 'how long to wait for each server', milliseconds, 60_000)
    .addOption(new Option('--json', 'answer as JSON').conflicts('sarif'))
    .option('--sarif', 'answer as SARIF 2.1.0')
    .option('--rank', 'the patches are alternatives: exit by the best of them')
    .addOption(trustOption())
    .addOption(colorOption())
    .addHelpText('after', help)
    .action(async (changes: string[], options: WhatifFlags) => {
      refuseContradictions(changes, options);
      const { whatifCommand } = await import('./whatif-command.ts');
      const { root, scope, timeout: timeoutMs, color, onto } = options;
      const trust = await grantOf(options.trust, lifetime.signal, root);
      const subject = options.merge
        ? ({ kind: 'merge', sides: changes, onto } as const)
        : subjectOf(changes, options);
      const format = options.json ? 'json' : options.sarif ? 'sarif' : 'human';
      finish(
        await whatifCommand(lifetime, { subject, root, scope, timeoutMs, format, color, trust, log: log() }),
      );
    });
}

function subjectOf(changes: readonly string[], { staged, rank }: WhatifFlags) {
  if (changes.length === 0) return { kind: 'pending', pending: staged ? 'staged' : 'uncommitted' } as const;
  return { kind: 'changes', changes, exitBy: rank ? 'best' : undefined } as const;
}

function refuseContradictions(changes: readonly string[], options: WhatifFlags): void {
  if (options.staged && changes.length > 0) throw usageError('--staged takes no patch.');
  if (options.rank && changes.length === 0) throw usageError('--rank needs patches to rank.');
  if (options.onto !== undefined && !options.merge) throw usageError('--onto goes with --merge.');
  if (!options.merge) return;
  if (options.staged || options.rank) throw usageError('--merge goes with neither --staged nor --rank.');
  if (options.sarif) throw usageError('--merge answers as text or as JSON.');
  if (changes.length === 0) throw usageError('--merge needs the branches to merge.');
}

function usageError(message: string): CommanderError {
  process.stderr.write(`error: ${message}\n`);
  return new CommanderError(exitCodes.usage, 'forerun.usage', message);
}

const help = `
Without an argument, everything on disk that the last commit does not hold is judged: edits, new files that git does not
ignore, deletions. A patch that is applied already is judged against the files without it. Nothing is checked out:

  a commit         against its first parent
  main..feature    from the first to the second
  main...feature   from the commit they have in common to the second
  a branch         from the commit it has in common with HEAD
  stash@{0}        against the commit it was made on
  a directory      another working tree of this repository, its uncommitted changes included

Several patches are judged at once, each as if it were the only one, and listed best first: clean, unknown,
broken; then fewest introduced errors, most resolved, fewest lines. Exit code of several patches:
  without --rank   0 all clean, 1 one is broken, 2 one is unknown or failed and none is broken
  with --rank      that of the best one: 0 if there is a clean one to take

With --merge, each branch is judged alone, and every two of them merged. Errors that neither has alone are semantic
conflicts. The longest sequence of branches that stays clean is listed with the order to merge them in. Exit code:
  0 all of them merge cleanly, 1 some do not, 2 not proved

Examples:
  forerun whatif                     what do my uncommitted changes break?
  forerun whatif --staged            what would this commit break?
  forerun whatif main...feature      what would this pull request break?
  forerun whatif --merge feature-a feature-b ../other-worktree
  git diff main | forerun whatif -
  forerun whatif change.patch --json
  forerun whatif --rank first.patch second.patch third.patch`;

/** The arguments of `forerun whatif`. */
import { type Command, CommanderError, Option } from 'commander';
import { exitCodes } from '../exit-code.ts';
import { colorOption } from '../print/color-option.ts';
import type { ColorChoice } from '../print/palette.ts';
import type { CommandHost } from '../setup/setup-program.ts';
import { grantOf, trustOption } from '../trust/trust-option.ts';
import { queueOption } from '../worker/queue-option.ts';
import type { ReportOutput } from './report-output.ts';

interface WhatifFlags {
  readonly root?: string;
  readonly scope: 'file' | 'workspace';
  readonly timeout: number;
  readonly format?: readonly string[];
  readonly json?: boolean;
  readonly sarif?: boolean;
  readonly rank?: boolean;
  readonly staged?: boolean;
  readonly merge?: boolean;
  readonly onto?: string;
  readonly watch?: boolean;
  readonly queue?: string | true;
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
    .option('--staged', 'judge the staged changes')
    .option('--merge', 'judge the merge of these branches, worktrees and sessions before it is made')
    .option('--onto <revision>', 'with --merge: the revision they are merged onto (default: HEAD)')
    .option('--watch', 'with --merge: judge again whenever a side changes; without sides, all working trees')
    .option(
      '--root <dir>',
      'directory that the paths of the patch are relative to (default: the top of the repository)',
    )
    .addOption(
      new Option('--scope <scope>', 'which files to check')
        .choices(['file', 'workspace'])
        .default('workspace'),
    )
    .option('--timeout <ms>', 'time limit for each server', milliseconds, 60_000)
    .option('--format <format>', 'format, or format=file; may be repeated (default: human)', collected)
    .addOption(new Option('--json', 'the same as --format json').conflicts('sarif'))
    .option('--sarif', 'the same as --format sarif')
    .option('--rank', 'treat the patches as alternatives: exit with the verdict of the best one')
    .addOption(queueOption())
    .addOption(trustOption())
    .addOption(colorOption())
    .addHelpText('after', help)
    .action(async (changes: string[], options: WhatifFlags) => {
      refuseContradictions(changes, options);
      const outputs = await outputsOf(options);
      const { whatifCommand } = await import('./whatif-command.ts');
      const { root, scope, timeout: timeoutMs, color, onto } = options;
      const trust = await grantOf(options.trust, lifetime.signal, root);
      const subject = options.merge
        ? ({ kind: 'merge', sides: changes, onto, watch: options.watch === true } as const)
        : subjectOf(changes, options);
      const asked = { subject, root, scope, timeoutMs, outputs, color, trust, queue: options.queue };
      finish(await whatifCommand(lifetime, { ...asked, log: log() }));
    });
}

function collected(word: string, words: readonly string[] = []): readonly string[] {
  return [...words, word];
}

/** A wrong name is refused before anything is judged. */
async function outputsOf({ format = [], json, sarif }: WhatifFlags): Promise<readonly ReportOutput[]> {
  const { reportFormats } = await import('./format/report-formats.ts');
  const words = [...format, ...(json ? ['json'] : []), ...(sarif ? ['sarif'] : [])];
  const outputs = (words.length > 0 ? words : ['human']).map((word) => {
    const [name = '', ...rest] = word.split('=');
    const file = rest.join('=');
    const found = reportFormats.find((each) => each.name === name);
    if (!found || (rest.length > 0 && file === '')) {
      const known = reportFormats.map((each) => each.name).join(', ');
      throw usageError(`--format ${word}: give one of ${known}, or one of them with =file.`);
    }
    return { format: found, ...(file !== '' && { file }) };
  });
  if (outputs.filter(({ file }) => file === undefined).length > 1) {
    throw usageError(
      'only one format goes to standard output; give the others a file: --format sarif=out.sarif.',
    );
  }
  return outputs;
}

function subjectOf(changes: readonly string[], { staged, rank }: WhatifFlags) {
  if (changes.length === 0) return { kind: 'pending', pending: staged ? 'staged' : 'uncommitted' } as const;
  return { kind: 'changes', changes, exitBy: rank ? 'best' : undefined } as const;
}

function refuseContradictions(changes: readonly string[], options: WhatifFlags): void {
  if (options.staged && changes.length > 0 && !options.merge) throw usageError('--staged takes no patch.');
  if (options.rank && changes.length === 0) throw usageError('--rank needs patches to rank.');
  if (options.onto !== undefined && !options.merge) throw usageError('--onto goes with --merge.');
  if (options.watch && !options.merge) throw usageError('--watch goes with --merge.');
  if (!options.merge) return;
  if (options.staged || options.rank) throw usageError('--merge goes with neither --staged nor --rank.');
  if (changes.length === 0 && !options.watch) throw usageError('--merge needs the branches to merge.');
}

function usageError(message: string): CommanderError {
  process.stderr.write(`error: ${message}\n`);
  return new CommanderError(exitCodes.usage, 'forerun.usage', message);
}

const help = `
Without an argument, all uncommitted changes on disk are judged: edits, new files that git does not ignore, deletions.
A patch that is already applied is compared with the files without it. Nothing is checked out:

  a commit         against its first parent
  main..feature    from the first to the second
  main...feature   from the commit they have in common to the second
  a branch         from the commit it has in common with HEAD
  stash@{0}        against the commit it was made on
  a directory      another working tree of this repository, its uncommitted changes included

Several patches are judged concurrently, each on its own, and listed best first: clean, unknown, broken; then fewest
introduced errors, most resolved errors, fewest lines. Exit code of several patches:
  without --rank   0 all clean, 1 one is broken, 2 one is unknown or failed and none is broken
  with --rank      that of the best one: 0 if one is clean

With --merge, each branch is judged alone, and every two of them merged. Errors that neither has alone are semantic
conflicts. The longest sequence of branches that stays clean is listed with the order to merge them in. A side is a
branch or another revision, the directory of a working tree with its uncommitted changes, or session:<id>. Exit code:
  0 all of them merge cleanly, 1 some do not, 2 not proved
With --queue, workers judge the files as they are here: the newest commit that the remote has, with everything on top of
it. Ignored files, such as installed packages, are those of the worker. See docs/guide/scale-out.md.

With --watch, the working trees of the repository are judged again whenever one of them changes, until Ctrl+C.

Formats, each to standard output or to a file:
  human       for a person, with the code around each place
  json        the complete answer
  sarif       SARIF 2.1.0, for code scanning
  github      annotations of GitHub Actions
  gitlab      the code quality report of GitLab
  junit       JUnit XML, a test case for each file, branch or pair
  checkstyle  Checkstyle XML
  rdjson      the diagnostic format of reviewdog
  markdown    the summary of a pull request

Examples:
  forerun whatif                     what do my uncommitted changes break?
  forerun whatif --staged            what would this commit break?
  forerun whatif main...feature      what would this pull request break?
  forerun whatif --merge feature-a feature-b ../other-worktree
  forerun whatif --merge --watch     what do all working trees compose to, while they are worked on?
  git diff main | forerun whatif -
  forerun whatif change.patch --json
  forerun whatif main...HEAD --format human --format sarif=out.sarif --format markdown=summary.md
  forerun whatif --rank first.patch second.patch third.patch`;

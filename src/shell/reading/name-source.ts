/**
 * Whether the output of commands lists entries of the workspace, or is text that the commands make up.
 *
 * Names from a list are checked again when they are known. This only decides, from the text, which outputs may become
 * file names at all.
 *
 * Invariant: a pipeline lists names only if its first command does, and all others pass them on, or cut them.
 */
import { isBoundary } from '../boundary.ts';
import { hasMadeUpText, isCuttingProgram } from '../script/program-text.ts';
import type { Script, ShellCommand, ShellInput, ShellWord, Stage } from '../syntax/shell-list.ts';

export type NameSource = 'name' | 'text';

/** The output of a script. */
export function sourceOf(script: Script): NameSource {
  const [step, ...more] = script;
  if (step === undefined || more.length > 0) return 'text';
  return listsNames(step.pipeline, listing) ? 'name' : 'text';
}

/** The output of the commands before a pipe. */
export function pipeSource(before: readonly Stage[]): NameSource {
  return listsNames(before, listingFiles) ? 'name' : 'text';
}

export function inputSource(input: ShellInput | undefined): NameSource | undefined {
  if (input === undefined) return undefined;
  if (input.kind === 'output') return sourceOf(input.script);
  return input.kind === 'file' ? 'name' : 'text';
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Commands that print names of existing files, directories and revisions, or numbers. */
const listing = words(
  'git find fd fdfind rg grep egrep fgrep ls which command pwd dirname basename realpath readlink comm wc date nproc seq stat du',
);

/** In a pipe also the lines of a file, which are read as a list. */
const listingFiles = new Set([...listing, ...words('cat head tail sort uniq cut tac shuf jq')]);

/** Commands that pass lines on, or parts of them. */
const passing = words(
  'grep egrep fgrep rg sort uniq head tail cut tac shuf wc cat comm nl column sed awk gawk mawk tr xargs',
);

function listsNames(pipeline: readonly Stage[], sources: ReadonlySet<string>): boolean {
  const [first, ...others] = pipeline;
  return isOf(first, sources) && others.every((stage) => isOf(stage, passing));
}

function isOf(stage: Stage | undefined, commands: ReadonlySet<string>): boolean {
  if (stage?.kind !== 'simple' || isBoundary(stage)) return false;
  const { argv, input } = stage;
  const name = argv[0]?.text ?? '';
  // A list in the text of the command itself is not one of existing names.
  if (!commands.has(name) || input?.kind === 'text' || input?.kind === 'word') return false;
  return !makesUp(name, stage);
}

function makesUp(name: string, { argv }: ShellCommand): boolean {
  const args = argv.slice(1);
  if (args.some(({ text, parts }) => hasMadeUpText(parts ? literalOf(parts) : text))) return true;
  if (name === 'dirname') return args.some(leavesDirectory);
  if (name === 'xargs')
    return !args.some(({ text }) => text === 'basename' || text === 'dirname' || text === 'ls');
  return !isCuttingProgram(
    name,
    args.map(({ text, parts }) => (parts ? undefined : text)),
  );
}

function literalOf(parts: NonNullable<ShellWord['parts']>): string {
  return parts.map((part) => ('literal' in part ? part.literal : '')).join('');
}

/** The directory above the current one is the parent of `.`, and of what another command prints. */
function leavesDirectory({ text, parts }: ShellWord): boolean {
  if (parts === undefined) return text === '.' || text === '';
  return parts.some(
    (part) => 'substitution' in part || ('parameter' in part && part.parameter.name === 'PWD'),
  );
}

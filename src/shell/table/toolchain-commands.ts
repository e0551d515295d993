/**
 * Toolchains, asked for their version and nothing else.
 *
 * Invariant: the one argument is spelled exactly as listed.
 */
import { boundary } from '../boundary.ts';
import { allowed, type CommandRule } from '../command/command-rule.ts';
import { nodeRule, pythonRule } from '../script/interpreter-command.ts';
import { packageCommands } from './package-commands.ts';

const versionArguments: Readonly<Record<string, string>> = {
  tsc: '-v --version',
  ruby: '-v --version',
  perl: '-v --version',
  rustc: '-V --version',
  gcc: '--version',
  'g++': '--version',
  cc: '--version',
  clang: '--version',
  make: '-v --version',
  cmake: '--version',
  bash: '--version',
  deno: '-V --version',
  bun: '-v --version',
  rustup: '-V --version',
  php: '-v --version',
  swift: '--version',
  kotlin: '-version',
  docker: '-v --version',
  poetry: '-V --version',
  corepack: '-v --version',
};

/** Without its performance data, which it would keep in a file while it runs. */
const java: CommandRule = ([first, second]) =>
  first && !second && /^--?version$/.test(first.text)
    ? { ...allowed(), checked: { args: ['-XX:-UsePerfData', first.text] } }
    : boundary('option', first?.at ?? 0, 'java is only asked for its version');

export const toolchainCommands: ReadonlyMap<string, CommandRule> = new Map([
  ...Object.entries(versionArguments).map(
    ([name, spellings]) => [name, versionRule(name, spellings.split(' '))] as const,
  ),
  ['java', java],
  ...packageCommands,
  ['node', nodeRule],
  ['python', pythonRule],
  ['python3', pythonRule],
]);

function versionRule(name: string, spellings: readonly string[]): CommandRule {
  return ([first, second]) => {
    if (first && !second && spellings.includes(first.text)) return allowed();
    return boundary('option', second?.at ?? first?.at ?? 0, `${name} is only asked for its version`);
  };
}

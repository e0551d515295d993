/**
 * Toolchains, asked for their version and nothing else.
 *
 * `npm ls` and its like are left out on purpose: npm writes a log and asks the network for updates on the
 * way, and where it does so is settled by a file of the project. yarn and pnpm are left out whole, because
 * a project can name the program that answers for them, and java because it keeps a file of its own while it runs.
 *
 * Invariant: the one argument is spelled exactly as listed.
 */
import { boundary } from '../boundary.ts';
import { allowed, type CommandRule } from '../command/command-rule.ts';

const versionArguments: Readonly<Record<string, string>> = {
  node: '-v --version',
  npm: '-v --version',
  tsc: '-v --version',
  python: '-V --version',
  python3: '-V --version',
  ruby: '-v --version',
  perl: '-v --version',
  go: 'version',
  rustc: '-V --version',
  cargo: '-V --version',
  gcc: '--version',
  'g++': '--version',
  cc: '--version',
  clang: '--version',
  make: '-v --version',
  cmake: '--version',
  bash: '--version',
};

export const toolchainCommands: ReadonlyMap<string, CommandRule> = new Map(
  Object.entries(versionArguments).map(([name, spellings]) => [
    name,
    versionRule(name, spellings.split(' ')),
  ]),
);

function versionRule(name: string, spellings: readonly string[]): CommandRule {
  return ([first, second]) => {
    if (first && !second && spellings.includes(first.text)) return allowed();
    return boundary('option', second?.at ?? first?.at ?? 0, `${name} is only asked for its version`);
  };
}

/** The commands of the program as plain data, for everything that is generated from them. */
import type { Command, Option } from 'commander';

export interface CommandNode {
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionNode[];
  readonly commands: readonly CommandNode[];
}

export interface OptionNode {
  /** Such as `--toolset`; a short form comes first. */
  readonly names: readonly string[];
  /** As help shows it, such as `--toolset <set>`. */
  readonly flags: string;
  readonly description: string;
  readonly value: 'none' | 'optional' | 'required';
  readonly choices: readonly string[];
}

export function commandTree(command: Command): CommandNode {
  return {
    name: command.name(),
    description: command.description(),
    options: command.options.filter(({ hidden }) => !hidden).map(optionNode),
    commands: command.commands.map(commandTree),
  };
}

/** Every command with the words that lead to it; the program itself has none. */
export function commandPaths(
  node: CommandNode,
  words: readonly string[] = [],
): readonly { readonly words: readonly string[]; readonly node: CommandNode }[] {
  return [
    { words, node },
    ...node.commands.flatMap((command) => commandPaths(command, [...words, command.name])),
  ];
}

function optionNode({ short, long, flags, description, required, optional, argChoices }: Option): OptionNode {
  return {
    names: [short, long].filter((name) => name !== undefined),
    flags,
    description,
    value: required ? 'required' : optional ? 'optional' : 'none',
    choices: argChoices ?? [],
  };
}

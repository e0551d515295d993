/** The manual page, from the help of the program. */
import { type CommandNode, commandPaths, commandTree } from '../../src/cli/completions/command-tree.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { version } from '../../src/host/version.ts';

export function manPage(): string {
  const program = commandTree(
    buildProgram({ signal: new AbortController().signal, closing: () => {} }, () => {}),
  );
  const commands = commandPaths(program).filter(({ words }) => words.length > 0);
  return [
    `.TH FORERUN 1 "" "forerun ${version}" "User Commands"`,
    '.SH NAME',
    `forerun \\- ${roff(program.description.replace(/\.$/, '').replace(/^./, (first) => first.toLowerCase()))}`,
    '.SH SYNOPSIS',
    '.B forerun',
    '.I command',
    '.RI [ options ]',
    '.SH COMMANDS',
    ...commands.flatMap(({ words, node }) => commandLines(words, node)),
    '.SH EXIT STATUS',
    'Of whatif: 0 if the change is clean, 1 if it breaks something, 2 if there is no verdict. 64 for wrong usage.',
    '',
  ].join('\n');
}

function commandLines(words: readonly string[], { description, options }: CommandNode): readonly string[] {
  return [
    `.SS ${roff(words.join(' '))}`,
    roff(description),
    ...options.flatMap((option) => ['.TP', `.B ${roff(option.flags)}`, roff(option.description)]),
  ];
}

/** Text for the formatter: hyphens are minus signs, and no line begins with a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');
}

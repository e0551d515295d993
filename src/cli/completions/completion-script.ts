/**
 * Scripts that complete the words of the command line, one for each shell.
 *
 * Invariant: derived from the program alone; where it has nothing to say, files are completed.
 */
import { type CommandNode, commandPaths, type OptionNode } from './command-tree.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

export function completionScript(shell: Shell, program: CommandNode): string {
  return writers[shell](program);
}

const writers: Readonly<Record<Shell, (program: CommandNode) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

function bashScript(program: CommandNode): string {
  const lines = commandPaths(program).map(
    ({ words, node }) => `    ${quoted(words.join(' '))}) offered=${quoted(wordsOf(node).join(' '))} ;;`,
  );
  return `# forerun completions bash > ~/.local/share/bash-completion/completions/forerun
_forerun() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" path='' offered='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
${pathCase(program, '      ')}
    esac
  done
  case "$path $before" in
${choiceCase(program, (choices) => `offered=${quoted(choices.join(' '))}`)}
  esac
  if [ -z "$offered" ]; then
    case "$path" in
${lines.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$offered" -- "$current"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))
}
complete -o filenames -F _forerun forerun
`;
}

function zshScript(program: CommandNode): string {
  const lines = commandPaths(program).map(({ words, node }) => {
    const items = [
      ...node.commands.map(({ name, description }) => described(name, description)),
      ...node.options.flatMap(({ names, description }) => names.map((name) => described(name, description))),
    ];
    return `    (${quoted(words.join(' '))}) offered=(${items.map(quoted).join(' ')}) ;;`;
  });
  return `#compdef forerun
# forerun completions zsh > "\${fpath[1]}/_forerun"
_forerun() {
  local place='' word
  local -a offered
  for word in "\${words[@]:1:CURRENT-2}"; do
    case "\${place:+$place }$word" in
${pathCase(program, '      ').replaceAll('path=', 'place=').replaceAll('$path', '$place').replaceAll('{path:', '{place:')}
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${choiceCase(program, (choices) => `compadd ${choices.join(' ')}; return`)}
  esac
  case "$place" in
${lines.join('\n')}
  esac
  _describe forerun offered || _files
}
compdef _forerun forerun
`;
}

function fishScript(program: CommandNode): string {
  const lines = commandPaths(program).flatMap(({ words, node }) => {
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const condition = words.length === 0 ? '__fish_use_subcommand' : seen;
    return [
      ...node.commands.map(
        ({ name, description }) =>
          `complete -c forerun -n ${quoted(condition)} -a ${name} -d ${quoted(firstLine(description))}`,
      ),
      ...node.options.map((option) => `complete -c forerun -n ${quoted(condition)}${fishOption(option)}`),
    ];
  });
  return `# forerun completions fish > ~/.config/fish/completions/forerun.fish\n${lines.join('\n')}\n`;
}

function fishOption({ names, description, value, choices }: OptionNode): string {
  const forms = names.map((name) =>
    name.startsWith('--') ? ` -l ${name.slice(2)}` : ` -s ${name.slice(1)}`,
  );
  const argument =
    choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : value === 'required' ? ' -r' : '';
  return `${forms.join('')}${argument} -d ${quoted(firstLine(description))}`;
}

/** The branches that recognise the commands among the words so far. */
function pathCase(program: CommandNode, indent: string): string {
  const paths = commandPaths(program).filter(({ words }) => words.length > 0);
  return `${indent}${paths.map(({ words }) => quoted(words.join(' '))).join('|')}) path="\${path:+$path }$word" ;;`;
}

/** The branches for options with a fixed set of values. */
function choiceCase(program: CommandNode, offer: (choices: readonly string[]) => string): string {
  const branches = commandPaths(program).flatMap(({ words, node }) =>
    node.options
      .filter(({ choices }) => choices.length > 0)
      .map(({ names, choices }) => {
        const forms = names.map((name) => quoted(`${words.join(' ')} ${name}`));
        return `    ${forms.join('|')}) ${offer(choices)} ;;`;
      }),
  );
  return branches.join('\n');
}

function wordsOf({ commands, options }: CommandNode): readonly string[] {
  return [...commands.map(({ name }) => name), ...options.flatMap(({ names }) => names)];
}

function described(word: string, description: string): string {
  return `${word.replaceAll(':', '\\:')}:${firstLine(description)}`;
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

/** A word for every one of the shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

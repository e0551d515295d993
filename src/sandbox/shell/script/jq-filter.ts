/**
 * The jq filters that end. The language can neither write nor run anything, so only what loads other
 * programs or never stops has to be kept out.
 *
 * Invariant: words are refused wherever they stand, inside strings too, so nothing hangs on reading jq's syntax.
 */
import { boundary, type ShellBoundary } from '../boundary.ts';
import type { CommandRule } from '../command/command-rule.ts';
import { optionRule } from '../command/option-rule.ts';
import type { ShellWord } from '../syntax/shell-list.ts';

/** `--arg` and `--argjson` take two words each, which getopt has no word for; they are taken out first. */
export const jqRule: CommandRule = (args) => {
  const others: ShellWord[] = [];
  for (let index = 0; index < args.length; index++) {
    const word = args[index];
    if (word?.text === '--') return options([...others, ...args.slice(index)]);
    if (word === undefined || (word.text !== '--arg' && word.text !== '--argjson')) {
      if (word) others.push(word);
      continue;
    }
    const taken = args.slice(index + 1, index + 3);
    const pattern = taken.find((each) => each.pattern);
    if (pattern) return boundary('glob', pattern.at, `the value of ${word.text} is a pattern; quote it`);
    if (taken.length < 2) return boundary('option', word.at, `${word.text} lacks its values`);
    index += 2;
  }
  return options(others);
};

const options = optionRule({
  options: `-rcnsRjaSCMeV --raw-output --compact-output --null-input --slurp --raw-input --join-output
    --ascii-output --sort-keys --color-output --monochrome-output --exit-status --tab --indent=# --stream
    --version --help`,
  operands: { leading: ['text'], rest: 'file' },
  also: ({ operands }) => refuseFilter(operands[0]),
});

const refused = /\b(?:repeat|until|while|infinite|def|import|include|modulemeta|recurse(?=\s*\())\b/;

function refuseFilter(filter: ShellWord | undefined): ShellBoundary | undefined {
  const word = refused.exec(filter?.text ?? '')?.[0];
  return filter && word !== undefined
    ? boundary('script', filter.at, `the jq filter holds the word ${word}`)
    : undefined;
}

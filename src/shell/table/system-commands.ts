/**
 * Commands that report on the machine, or print text.
 *
 * Invariant: an operand that would change the machine (its name, its clock) is not accepted.
 */
import { boundary } from '../boundary.ts';
import { allowed, type CommandRule } from '../command/command-rule.ts';
import { checkPattern, type OptionRule, optionRule } from '../command/option-rule.ts';
import { harmlessVariables } from '../reading/variable-scope.ts';
import { awkRule } from '../script/awk-program.ts';
import { jqRule } from '../script/jq-filter.ts';
import { sedRule } from '../script/sed-script.ts';
import { bracketRule, testRule } from '../script/test-expression.ts';

const rules: Readonly<Record<string, OptionRule>> = {
  ':': { operands: { rest: 'text' } },
  type: { options: '-aptP', operands: { rest: 'text' } },
  printenv: {
    operands: { rest: 'text' },
    also: ({ operands }) => {
      const odd = operands.find(({ text, opaque }) => opaque || !harmlessVariables.has(text));
      if (odd) return boundary('operand', odd.at, `${odd.text} may hold a secret`);
      return operands.length > 0
        ? undefined
        : boundary('operand', 0, 'the whole environment may hold secrets');
    },
  },
  true: {},
  false: {},
  uname: {
    options: `-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor
      --hardware-platform --operating-system`,
  },
  arch: {},
  tty: {},
  locale: { options: '-a' },
  getconf: { operands: { leading: ['text'] } },
  lscpu: { options: '-Jpe --json' },
  lsb_release: { options: '-adrcis --all --description --release --codename --id --short' },
  cal: { options: '-13my', operands: { leading: ['text', 'text'] } },
  who: {},
  pgrep: { options: '-alfcxnoi -u= -P=', operands: { leading: ['text'] } },
  ss: { options: '-tulnpaxs46H' },
  expr: { operands: { rest: 'text' }, order: 'options-first' },
  bc: { options: '-lq --mathlib --quiet' },
  nproc: { options: '--all --ignore=#' },
  whoami: {},
  hostname: {},
  uptime: { options: '-ps --pretty --since' },
  id: { options: '-agGnruz --user --group --groups --name --real', operands: { leading: ['text'] } },
  groups: { operands: { leading: ['text'] } },
  free: { options: '-bkmghwt --human --total --wide --mega --giga --kibi --mebi --gibi' },
  seq: {
    options: '-w -s= --equal-width --separator=',
    operands: { leading: ['text', 'text', 'text'] },
    order: 'options-first',
    also: ({ operands }) => {
      const odd =
        operands.find(({ text }) => !/^\d{1,7}$/.test(text)) ??
        (operands.length === 3 && Number(operands[1]?.text) === 0 ? operands[1] : undefined);
      return odd && boundary('operand', odd.at, 'only small whole numbers are counted');
    },
  },
  date: {
    options:
      '-uR -d= -r= -I=? --utc --universal --rfc-email --rfc-2822 --date= --reference= --iso-8601=? --rfc-3339=',
    operands: { leading: ['text'] },
    also: ({ operands }) => {
      const odd = operands.find(({ text }) => !text.startsWith('+'));
      return odd && boundary('operand', odd.at, 'without a plus sign this would set the clock');
    },
  },
  printf: {
    operands: { leading: ['text'], rest: 'text', anyName: true },
    order: 'options-first',
  },
};

/** Any text may be echoed except the two options that the program, unlike the builtin, supports. */
const echo: CommandRule = (args) => {
  for (const word of args) {
    const refused = word.pattern && checkPattern(word, 'harmless');
    if (refused) return refused;
  }
  const [only] = args;
  const isAsked = args.length === 1 && only && /^--(help|version)$/.test(only.text);
  return isAsked ? boundary('option', only.at, `${only.text} is not echoed`) : allowed();
};

/** `command -v`: the program that a name resolves to. */
const commandRule: CommandRule = ([flag, ...names]) => {
  const odd = names.find(({ pattern }) => pattern);
  if (odd) return boundary('glob', odd.at, 'a pattern stands for a single word; quote it');
  if (flag && /^-[vV]$/.test(flag.text) && names.length > 0) return allowed();
  return boundary('option', flag?.at ?? 0, 'command is read with -v and names');
};

/** Its options are whole words and its second operand is an output file, so it has its own rule. */
const xxd: CommandRule = (args) => {
  for (let index = 0; index < args.length; index++) {
    const word = args[index];
    if (word === undefined) break;
    if (word.pattern) return boundary('glob', word.at, 'a pattern stands for a single word; quote it');
    const further = args[index + 1];
    const length = xxdOptionLength(word.text, further?.text ?? '');
    if (length > 0) {
      index += length - 1;
      continue;
    }
    if (word.text.startsWith('-')) {
      return boundary('option', word.at, `the option ${word.text} is not known to only read`);
    }
    if (further) return boundary('operand', further.at, 'a second operand would be written to');
    return allowed([{ path: word.text, at: word.at }]);
  }
  return allowed();
};

/** The number of words of an option of xxd, including itself; 0 for other words. */
function xxdOptionLength(text: string, next: string): 0 | 1 | 2 {
  if (/^-(a|b|e|i|p|ps|u|C)$/.test(text) || /^-[lscgo]\d+$/.test(text)) return 1;
  return /^-[lscgo]$/.test(text) && /^-?(0x)?[0-9a-f]+$/.test(next) ? 2 : 0;
}

/** Of its many forms, those that list processes without their environment. */
const ps: CommandRule = (args) => {
  const [first, second] = args;
  const isSorted = second === undefined || (/^--sort=[-+]?%?[a-z]+$/.test(second.text) && args.length === 2);
  if (first === undefined || (/^(aux|ax|-ef|-e|-A)$/.test(first.text) && isSorted)) return allowed();
  // Columns by name; those with the environment are excluded.
  const isNamed =
    /^(-eo|-Ao|-o|axo|-p)$/.test(first.text) &&
    args.every(({ text }) => /^(-[a-zA-Z]+|[a-z%,=\d]+|axo|--sort=[-+]?%?[a-z]+|--no-headers)$/.test(text));
  if (isNamed && !args.some(({ text }) => /^-?e$|\benv|environ/i.test(text))) return allowed();
  return boundary('option', first.at, 'of ps only aux, ax, -ef, -e, -A and -o are read');
};

export const systemCommands: ReadonlyMap<string, CommandRule> = new Map([
  ...Object.entries(rules).map(([name, rule]) => [name, optionRule(rule)] as const),
  ['echo', echo],
  ['command', commandRule],
  ['xxd', xxd],
  ['ps', ps],
  ['test', testRule],
  ['[', bracketRule],
  ['sed', sedRule],
  ['awk', awkRule],
  ['gawk', awkRule],
  ['mawk', awkRule],
  ['jq', jqRule],
]);

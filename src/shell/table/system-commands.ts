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
  locale: { options: '-amk -c --all-locales --charmaps --keyword-name', operands: { rest: 'text' } },
  getconf: { operands: { leading: ['text'] } },
  lscpu: { options: '-Jpeabcxy --json --all --online --extended=? --parse=?' },
  lsb_release: { options: '-adrcis --all --description --release --codename --id --short' },
  cal: { options: '-13mysjwY -n=#', operands: { leading: ['text', 'text'] } },
  who: { options: '-abdHlmpqrstTu' },
  w: { options: '-hsfoi --no-header --short' },
  users: {},
  logname: {},
  pstree: { options: '-aAcglnpStTU', operands: { leading: ['text'] } },
  pidof: { options: '-sxq', operands: { rest: 'text' } },
  ncal: { options: '-13bhjJmyMS -A=# -B=#', operands: { leading: ['text', 'text'] } },
  vmstat: { options: '-asdDwt --stats --disk --wide' },
  // In batch mode it would go on until the given number of rounds.
  top: {
    options: '-bciHS -n=# -o= -p= -u= -w=?',
    also: ({ options }) => {
      const rounds = options.find(({ name }) => name === 'n')?.value;
      const ends = options.some(({ name }) => name === 'b') && rounds !== undefined && Number(rounds) <= 2;
      return ends ? undefined : boundary('option', 0, 'top is read with -b and -n 1');
    },
  },
  pgrep: { options: '-alfcxnoi -u= -P=', operands: { leading: ['text'] } },
  expr: { operands: { rest: 'text' }, order: 'options-first' },
  bc: { options: '-lqs --mathlib --quiet --standard --version -v' },
  nproc: { options: '--all --ignore=# --version' },
  whoami: {},
  hostname: { options: '-sI --short --all-ip-addresses' },
  uptime: { options: '-ps --pretty --since' },
  id: { options: '-agGnruz --user --group --groups --name --real', operands: { leading: ['text'] } },
  groups: { operands: { leading: ['text'] } },
  free: {
    options:
      '-bkmghwtVl --lohi --si --bytes --version --human --total --wide --mega --giga --kibi --mebi --gibi',
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

/** Its numbers may be negative, which getopt would take for options. */
const seq: CommandRule = (args) => {
  const start = args.findIndex(
    ({ text }, index) => isNumeral(text) && !/^-[sf]$/.test(args[index - 1]?.text ?? ''),
  );
  const numbers = start < 0 ? [] : args.slice(start);
  const values = numbers.map(({ text }) => Number(text));
  const odd = numbers.find(({ text }) => !isNumeral(text));
  if (odd) return boundary('operand', odd.at, 'only small numbers are counted');
  const [first = 1, second = 1, last = second] = values.length === 1 ? [1, 1, values[0]] : values;
  const step = values.length === 3 ? second : 1;
  const at = numbers[0]?.at ?? 0;
  if (step === 0 || Math.abs((last - first) / step) > 1e7)
    return boundary('operand', at, 'a sequence does not end, or is too long');
  return seqOptions(start < 0 ? args : args.slice(0, start));
};

function isNumeral(text: string): boolean {
  return /^-?\d{1,7}(\.\d{1,6})?$/.test(text);
}

const seqOptions = optionRule({
  options: '-w -s= -f= --equal-width --separator= --format=',
  also: ({ options }) => {
    const format = options.find(
      ({ name, value }) => /^f/.test(name) && !/^[^%]*%[-+ 0#]*\d*(\.\d+)?[efgEFG][^%]*$/.test(value ?? ''),
    );
    return format && boundary('option', format.word.at, 'the format of a number is not read');
  },
});

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

/** Of its many forms, those that list processes without their environment, which the letter `e` alone shows. */
const ps: CommandRule = (args) => {
  const odd = args.find(({ text, pattern, opaque }, index) => {
    if (pattern || opaque) return true;
    const before = args[index - 1]?.text ?? '';
    if (/^(-[A-Za-z]*[oOC]|axo|-o|--format|--sort)$/.test(before))
      return !/^[-+a-z%,=_:\d]+$/i.test(text) || /env/i.test(text);
    if (/^(-[A-Za-z]*[pugUGtq]|--pid|--ppid|--user)$/.test(before) && /^[\w,.-]+$/.test(text)) return false;
    if (/^--(sort|format|user|pid|ppid)=[-+%\w,=:]+$/.test(text)) return /env/i.test(text);
    return !/^(aux|auxw+|auxf|ax|axo|axu|axf|a|x|au|u|f|-[aAdeflFjLHNPTwpuoCMy]+|--no-headers?|--forest|--headers)$/.test(
      text,
    );
  });
  return odd ? boundary('option', odd.at, `${odd.text} is not known to list processes only`) : allowed();
};

export const systemCommands: ReadonlyMap<string, CommandRule> = new Map([
  ...Object.entries(rules).map(([name, rule]) => [name, optionRule(rule)] as const),
  ['seq', seq],
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

/**
 * Commands that describe compiled programs, libraries and archives.
 *
 * Without options that read the sources or the debug files that a program names: these may lie anywhere.
 *
 * Invariant: an operand that starts with `@` is refused: it names a file of options, among which may be a plugin.
 */
import { boundary } from '../boundary.ts';
import { allowed, type CommandRule } from '../command/command-rule.ts';
import { type OptionRule, optionRule } from '../command/option-rule.ts';

const rules: Readonly<Record<string, OptionRule>> = {
  strings: {
    options: `-afwo -# -n=# -t= -e= -U= --all --bytes=# --radix= --encoding= --print-file-name
      --include-all-whitespace`,
    operands: { rest: 'file', anyName: true },
  },
  nm: {
    options: `-aACDgnopruSvPjsU -t= -f= --defined-only --demangle=? --dynamic --extern-only --undefined-only --size-sort
      --print-size --numeric-sort --no-sort --reverse-sort --format= --radix= --debug-syms --print-armap --special-syms`,
    operands: { rest: 'file' },
  },
  objdump: {
    options: `-adDfghrRtTxpsCwz -j= -M= -b= -m= --all-headers --archive-headers --disassemble=? --disassemble-all
      --disassembler-options= --section= --syms --dynamic-syms --demangle=? --file-headers --section-headers --headers
      --private-headers --full-contents --reloc --dynamic-reloc --no-show-raw-insn --wide --start-address=
      --stop-address= --no-addresses --target= --architecture= --version`,
    operands: { rest: 'file' },
  },
  readelf: {
    options: `-adehlnrsSVWAIgtuc -x= -p= --all --dynamic --file-header --program-headers --segments --sections
      --section-headers --section-groups --symbols --syms --dyn-syms --wide --notes --relocs --version-info --headers
      --arch-specific --histogram --hex-dump= --string-dump= --demangle=? --version`,
    operands: { rest: 'file' },
  },
  size: { options: '-ABdotxG --format= --radix= --totals --common', operands: { rest: 'file' } },
  addr2line: {
    options:
      '-afiCps -e=< -j= --exe=< --functions --demangle=? --inlines --pretty-print --basenames --addresses',
    operands: { rest: 'text' },
  },
  'c++filt': { options: '-_np -s= --format= --no-params --no-verbose --types', operands: { rest: 'text' } },
  // Only the list of an archive; `7z l @names` would read names of archives from a file.
  '7z': { options: '-r', operands: { leading: ['text', 'file'], rest: 'text' } },
};

function withoutResponseFiles(rule: CommandRule): CommandRule {
  return (args) => {
    const file = args.find(({ text }) => text.startsWith('@'));
    return file ? boundary('operand', file.at, `${file.text} would be read as options`) : rule(args);
  };
}

/** `ar t library.a`: letters without a dash, of which `t` lists and `p` prints. */
const ar: CommandRule = ([letters, ...rest]) => {
  if (letters && /^-?[tp][vO]*$/.test(letters.text)) return archive(rest);
  if (letters?.text === '--version' && rest.length === 0) return allowed();
  return boundary('option', letters?.at ?? 0, 'of ar only t and p are read');
};

const archive = optionRule({ operands: { leading: ['file'], rest: 'text' } });

const sevenZip: CommandRule = (args) => {
  if (args[0]?.text !== 'l') return boundary('option', args[0]?.at ?? 0, 'of 7z only l is read');
  return optionRule(rules['7z'] ?? {})(args);
};

export const binaryCommands: ReadonlyMap<string, CommandRule> = new Map(
  [
    ...Object.entries(rules).map(([name, rule]) => [name, optionRule(rule)] as const),
    ['ar', ar] as const,
    ['7z', sevenZip] as const,
    ['7za', sevenZip] as const,
  ].map(([name, rule]) => [name, withoutResponseFiles(rule)]),
);

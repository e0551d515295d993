/**
 * Node and Python with program text on their command line.
 *
 * Invariant: the checker of the language accepts the text first, and the program starts with options that prevent it
 * from loading code of the workspace.
 */
import { boundary } from '../boundary.ts';
import { allowed, type CommandRule, type CommandVerdict } from '../command/command-rule.ts';
import { optionRule } from '../command/option-rule.ts';
import type { ShellWord } from '../syntax/shell-list.ts';
import { pipRule } from '../table/package-commands.ts';
import { checkJavaScript } from './javascript/javascript-program.ts';
import { checkPython } from './python/python-program.ts';

const noCodeFromText = ['--disallow-code-generation-from-strings', '--disable-proto=delete', '--no-warnings'];

/** `node -p CODE`, `node -e CODE`, or its version. */
export const nodeRule: CommandRule = (args) => {
  const [flag, code, ...rest] = args;
  if (flag && !code && /^(-v|--version|-h|--help|--v8-options)$/.test(flag.text)) return allowed();
  if (!flag || !code || !/^(-p|-e|-pe|--print|--eval)$/.test(flag.text) || flag.opaque) {
    return boundary(
      'option',
      flag?.at ?? 0,
      'node is run with -p or -e and its code, or asked for its version',
    );
  }
  const odd = refuseArguments([code, ...rest]);
  if (odd) return odd;
  const checked = checkJavaScript(code.text);
  if (checked.kind === 'unread') return unread(code, checked.from);
  const words = [...noCodeFromText, flag.text, checked.code, ...rest.map(({ text }) => text)];
  return { ...allowed(checked.paths.map((path) => ({ path, at: code.at }))), checked: { args: words } };
};

/** Isolated: no module from the current directory or the user's, no variables, no caches. */
const isolated = ['-I', '-B'];

/** `python -c CODE`, the JSON printer, pip's lists, or its version. */
export const pythonRule: CommandRule = (written) => {
  // These only restrict it further, or concern its output.
  const start = written.findIndex(({ text, opaque }) => opaque || !/^-[uBIEsSq]+$/.test(text));
  const args = start < 0 ? [] : written.slice(start);
  const [flag, second, ...rest] = args;
  if (flag && !second && /^(-V|-VV|--version)$/.test(flag.text)) return allowed();
  if (flag?.text === '-c' && second) return pythonCode(second, rest);
  if (flag?.text === '-m' && second) return pythonModule(second, rest);
  return boundary('option', flag?.at ?? 0, 'python is run with -c and its code, or asked for its version');
};

function pythonCode(code: ShellWord, rest: readonly ShellWord[]): CommandVerdict {
  const odd = refuseArguments([code, ...rest]);
  if (odd) return odd;
  const checked = checkPython(code.text);
  if (checked.kind === 'unread') return unread(code, checked.from);
  const paths = checked.paths.map((path) => ({ path, at: code.at }));
  const given = checked.readsArguments ? rest.map(({ text, at }) => ({ path: text, at })) : [];
  const words = [...isolated, '-c', checked.code, ...rest.map(({ text }) => text)];
  return { ...allowed([...paths, ...given]), checked: { args: words } };
}

const jsonTool = optionRule({
  options: '--sort-keys --no-ensure-ascii --json-lines --indent=# --tab --no-indent --compact',
  // A second operand is the output file.
  operands: { leading: ['file'] },
});

/** Modules of the library that print something about a file or the installation. */
const modules: Readonly<Record<string, CommandRule>> = {
  'json.tool': jsonTool,
  pip: pipRule,
  ast: optionRule({
    options: '-a -m= -i=# --mode= --indent=# --no-type-comments',
    operands: { leading: ['file'] },
  }),
  tokenize: optionRule({ options: '-e --exact', operands: { leading: ['file'] } }),
  dis: optionRule({ options: '-COPS', operands: { leading: ['file'] } }),
  calendar: optionRule({ options: '-t= -w=# -l=# -s=# -m=#', operands: { leading: ['text', 'text'] } }),
  zipfile: optionRule({ options: '-l=< -t=< --list=< --test=<' }),
  tarfile: optionRule({ options: '-l=< -t=< --list=< --test=<' }),
  platform: optionRule({ operands: { rest: 'text' } }),
  sysconfig: optionRule({}),
  this: optionRule({}),
};

function pythonModule(module: ShellWord, rest: readonly ShellWord[]): CommandVerdict {
  const rule = Object.hasOwn(modules, module.text) ? modules[module.text] : undefined;
  if (rule === undefined || module.opaque)
    return boundary('operand', module.at, `the module ${module.text} is not known to only read`);
  const verdict = rule(rest);
  if (verdict.kind === 'boundary') return verdict;
  const words = [...isolated, '-m', module.text, ...rest.map(({ text }) => text)];
  return { ...verdict, checked: { args: words } };
}

function refuseArguments(words: readonly ShellWord[]): CommandVerdict | undefined {
  const odd = words.find(({ pattern, opaque }) => pattern || opaque);
  return odd && boundary('script', odd.at, 'program text and its arguments must be written out');
}

function unread(code: ShellWord, from: string): CommandVerdict {
  return boundary('script', code.at, `the program is not read from "${from.slice(0, 20)}"`);
}

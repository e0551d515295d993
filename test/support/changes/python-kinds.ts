/** Kinds of changes that are drawn from Python workspaces. */
import { posix } from 'node:path';
import type { SeededRandom } from '../seeded-random.ts';
import type { Change, ChangeKind } from './change.ts';
import { drawLine, type LineKind, lineKinds, oneFile, placeKinds } from './line-kind.ts';
import { severalFiles } from './several-files.ts';
import { drawOne, drawPath, type Sources } from './sources.ts';

const file = /\.py$/;
const definition = /^(\s*)((?:async )?def )(\w+)(\()(.*)(\).*:)$/;

const inLine: readonly LineKind[] = [
  {
    name: 'comment',
    at: /^(\s*)(def|class|return) .*$/,
    put: ([line, indent]) => `${indent}# A remark.\n${line}`,
  },
  { name: 'blank', at: /^(def|class) .*$/, put: ([line]) => `\n\n${line}` },
  { name: 'body', at: definition, put: ([line, indent]) => `${line}\n${indent}    added_local = 1` },
  {
    name: 'body-error',
    at: definition,
    put: ([line, indent]) => `${line}\n${indent}    wrong_local: int = "text"`,
  },
  {
    name: 'undefined-name',
    at: definition,
    put: ([line, indent]) => `${line}\n${indent}    name_that_is_undefined`,
  },
  { name: 'type-ignore', at: /^(\s+)(return .*[^\\,([{:])$/, put: ([line]) => `${line}  # type: ignore` },
  {
    name: 'rename-function',
    at: /^((?:async )?def )(\w+)(\(.*)$/,
    put: ([, start, name, rest]) => `${start}${name}_renamed${rest}`,
  },
  {
    name: 'rename-method',
    at: /^(\s+(?:async )?def )([a-z]\w*)(\(.*)$/,
    put: ([, start, name, rest]) => `${start}${name}_renamed${rest}`,
  },
  {
    name: 'rename-class',
    at: /^(class )(\w+)(.*:)$/,
    put: ([, start, name, rest]) => `${start}${name}Renamed${rest}`,
  },
  { name: 'remove-constant', at: /^[A-Za-z_]\w*(?:: [^=]+)? = [^([{"']+$/, put: () => '' },
  {
    name: 'required-parameter',
    at: definition,
    put: ([, indent, def, name, open, parameters = '', end]) =>
      `${indent}${def}${name}${open}${withParameter(parameters)}${end}`,
  },
  {
    name: 'parameter-type',
    at: /^(\s*(?:async )?def \w+\(.*?\w+: )(str|int|bool|bytes|float)(\b.*)$/,
    put: ([, start, , end]) => `${start}complex${end}`,
  },
  {
    name: 'return-type',
    at: /^(\s*(?:async )?def .*\) -> )(.+)(:)$/,
    put: ([, start, , end], random) => `${start}${drawOne(['int', 'None', 'list[str]'], random)}${end}`,
  },
  {
    name: 'attribute-removed',
    at: /^(\s+)self\.\w+(?:: [^=]+)? = [^([{]+$/,
    put: ([, indent]) => `${indent}pass`,
  },
  { name: 'base-removed', at: /^(class \w+)\([^)]+\):$/, put: ([, start]) => `${start}:` },
  {
    name: 'decorator-removed',
    at: /^\s+@(property|staticmethod|classmethod|t\.overload|typing\.overload)$/,
    put: () => '',
  },
  { name: 'made-async', at: /^(\s*)(def \w+\(.*)$/, put: ([, indent, rest]) => `${indent}async ${rest}` },
  {
    name: 'import-missing',
    at: /^(from|import) (?!__future__).*[^\\(]$/,
    put: ([line]) => `${line}\nfrom .does_not_exist import nothing_there`,
  },
  {
    name: 'import-missing-name',
    at: /^(from \.\w* import \w+)$/,
    put: ([line]) => `${line}, name_that_is_missing`,
  },
  { name: 'import-removed', at: /^(from|import) (?!__future__)[^(\\]+$/, put: () => '' },
  { name: 'barrel-export', at: /^from \.\w+ import \w+ as \w+.*$/, put: () => '' },
  { name: 'star-import', at: /^(from \.\w+ import )\w+$/, put: ([, start]) => `${start}*` },
  { name: 'unused-import', at: /^import \w+$/, put: ([line]) => `${line}\nimport abc as unused_module` },
  { name: 'syntax-colon', at: /^(\s*(?:def|class|if|for) .*):$/, put: ([, start]) => start },
  { name: 'syntax-insert', at: /^(def|class) .*$/, put: ([line]) => `def (:\n${line}` },
];

function withParameter(parameters: string): string {
  const [, self = '', rest = ''] = /^((?:self|cls)\b(?:, )?)?(.*)$/.exec(parameters) ?? [];
  const lead = self === '' || self.endsWith(', ') ? self : `${self}, `;
  return `${lead}added_parameter: frozenset[int]${rest === '' ? '' : ', '}${rest}`;
}

const places: readonly ChangeKind[] = [
  ...placeKinds({
    file,
    renamed: (name) => name.replace(/\.py$/, '_renamed.py'),
    wrongText: () => 'wrong_number: int = "text"\n',
  }),
  { name: 'create-imported', draw: (sources, random) => created(sources, random, '') },
  { name: 'create-in-new-directory', draw: (sources, random) => created(sources, random, 'brand_new/') },
  { name: 'stub-beside', draw: beside((path) => `${path}i`, 'stub_only: int\n') },
  {
    name: 'package-beside',
    draw: beside((path) => path.replace(/\.py$/, '/__init__.py'), 'package_only: int = 1\n'),
  },
  { name: 'config-created', draw: configCreated },
  {
    name: 'config-cut',
    draw: (sources, random) => cut(sources, drawPath(sources, random, /(^|\/)pyproject\.toml$/)),
  },
];

/** A new module, and a module that imports it and uses it rightly or wrongly. */
function created(sources: Sources, random: SeededRandom, directory: '' | 'brand_new/'): Change | undefined {
  const found = drawLine(sources, random, { file, at: /^from \.\w+ import .*[^(\\,]$/ });
  if (!found) return undefined;
  const name = `created_${random.below(1000)}`;
  const type = drawOne(['int', 'str'], random) ?? 'int';
  const at = posix.join(posix.dirname(found.path), directory, `${name}.py`);
  const module = `.${directory.replace('/', '.')}${name}`;
  const lines = [...found.lines];
  lines.splice(found.row + 1, 0, `from ${module} import created_value`);
  const after = `${lines.join('\n')}\nuses_created: ${type} = created_value\n`;
  return {
    kind: '',
    sentence: `creates ${at} and uses its int as a ${type} in ${found.path}`,
    files: [
      { path: at, after: 'created_value: int = 1\n' },
      { path: found.path, after },
    ],
  };
}

function beside(place: (path: string) => string, text: string): ChangeKind['draw'] {
  return (sources, random) => {
    const path = drawPath(sources, random, /\/(?!__init__)\w+\.py$/);
    return oneFile(path === undefined ? undefined : place(path), text, 'creates');
  };
}

function configCreated(sources: Sources, random: SeededRandom): Change | undefined {
  if (sources.text('pyrightconfig.json') !== undefined) return undefined;
  const config = drawOne(
    [
      { typeCheckingMode: 'strict' },
      { typeCheckingMode: 'off' },
      { include: ['nowhere'] },
      { pythonVersion: '3.8' },
    ],
    random,
  );
  return oneFile('pyrightconfig.json', `${JSON.stringify(config)}\n`, `puts ${JSON.stringify(config)} into`);
}

function cut(sources: Sources, path: string | undefined): Change | undefined {
  const text = path === undefined ? '' : (sources.text(path) ?? '');
  return oneFile(path, text.slice(0, Math.floor(text.length / 2)), 'cuts in half');
}

const inFiles = lineKinds(file, inLine);

export const pythonKinds: readonly ChangeKind[] = [
  ...inFiles,
  ...places,
  { name: 'several-files', draw: severalFiles([...inFiles.slice(6, 18), ...places.slice(0, 3)]) },
];

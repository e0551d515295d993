/** Kinds of changes that are drawn from Go modules. */
import { posix } from 'node:path';
import type { SeededRandom } from '../seeded-random.ts';
import type { Change, ChangeKind } from './change.ts';
import { type LineKind, lineKinds, oneFile, placeKinds } from './line-kind.ts';
import { severalFiles } from './several-files.ts';
import { drawOne, drawPath, type Sources } from './sources.ts';

const file = /\.go$/;
const opening = /^func .*\{$/;

const inLine: readonly LineKind[] = [
  { name: 'comment', at: /^(func|type|\treturn) .*$/, put: ([line]) => `// A remark.\n${line}` },
  { name: 'blank', at: /^(func|type) .*$/, put: ([line]) => `\n\n${line}` },
  { name: 'body', at: opening, put: ([line]) => `${line}\n\t_ = 0` },
  {
    name: 'body-error',
    at: opening,
    put: ([line]) => `${line}\n\tvar wrongNumber int = "text"\n\t_ = wrongNumber`,
  },
  { name: 'undefined-name', at: opening, put: ([line]) => `${line}\n\tnameThatIsUndefined()` },
  { name: 'unused-local', at: opening, put: ([line]) => `${line}\n\tunusedLocal := 1` },
  {
    name: 'rename-function',
    at: /^(func )([A-Z]\w*)(\(.*)$/,
    put: ([, start, name, rest]) => `${start}${name}Renamed${rest}`,
  },
  {
    name: 'rename-method',
    at: /^(func \([^)]*\) )([A-Za-z]\w*)(\(.*)$/,
    put: ([, start, name, rest]) => `${start}${name}Renamed${rest}`,
  },
  {
    name: 'rename-type',
    at: /^(type )(\w+)( .*)$/,
    put: ([, start, name, rest]) => `${start}${name}Renamed${rest}`,
  },
  {
    name: 'required-parameter',
    at: /^(func (?:\([^)]*\) )?\w+\()(.*)$/,
    put: ([, start, rest = '']) => `${start}added int${rest.startsWith(')') ? '' : ', '}${rest}`,
  },
  {
    name: 'parameter-type',
    at: /^(func (?:\([^)]*\) )?\w+\(.*?\w+ )(string|int|bool|error|\[\]string)([,)].*)$/,
    put: ([, start, , rest]) => `${start}chan int${rest}`,
  },
  {
    name: 'return-type',
    at: /^(func .*\) )(string|int|bool|error)( \{)$/,
    put: ([, start, , rest]) => `${start}chan int${rest}`,
  },
  { name: 'field-removed', at: /^\t[A-Z]\w*\s+[\w*[\]().]+(\s+`.*`)?$/, put: () => '' },
  {
    name: 'interface-method-added',
    at: /^(type \w+ interface \{)$/,
    put: ([line]) => `${line}\n\tAddedMethod(int) chan int`,
  },
  { name: 'constant-removed', at: /^\t?(const |var )?[A-Z]\w* (\w+ )?= [^({]+$/, put: () => '' },
  { name: 'package-clause', at: /^package (\w+)$/, put: ([, name]) => `package ${name}other` },
  { name: 'build-tag', at: /^package \w+$/, put: ([line]) => `//go:build windows\n\n${line}` },
  {
    name: 'import-missing',
    at: /^package \w+$/,
    put: ([line]) => `${line}\n\nimport _ "example.com/does/not/exist"`,
  },
  {
    name: 'unused-import',
    at: /^package \w+$/,
    put: ([line]) => `${line}\n\nimport unusedImport "container/ring"`,
  },
  { name: 'import-removed', at: /^\t"[\w./]+"$/, put: () => '' },
  { name: 'syntax-brace', at: opening, put: ([line]) => line.slice(0, -1) },
  { name: 'syntax-insert', at: /^(func|type) .*$/, put: ([line]) => `func ( {\n${line}` },
  {
    name: 'printf-verb',
    at: /^(\s+.*\b(?:Printf|Errorf|Sprintf|Fprintf)\(.*)%[sqv](.*)$/,
    put: ([, start, rest]) => `${start}%d${rest}`,
  },
];

const inModule: readonly LineKind[] = [
  { name: 'module-require-removed', at: /^\t\S+ v\S+.*$/, put: () => '' },
  { name: 'module-renamed', at: /^module (.*)$/, put: ([, name]) => `module ${name}/renamed` },
  { name: 'module-version', at: /^go 1\..*$/, put: () => 'go 1.17' },
  { name: 'module-broken', at: /^module .*$/, put: ([line]) => `${line}\nrequire (` },
];

const places: readonly ChangeKind[] = [
  ...placeKinds({
    file,
    renamed: (name) => name.replace(/(_test)?\.go$/, '_renamed$1.go'),
    wrongText: (path, sources) => `${packageClause(path, sources)}\n\nvar wrongNumber int = "text"\n`,
  }),
  { name: 'rename-to-test', draw: renamed((path) => path.replace(/\.go$/, '_test.go')) },
  { name: 'rename-to-platform', draw: renamed((path) => path.replace(/(_test)?\.go$/, '_windows$1.go')) },
  { name: 'create-in-new-directory', draw: newPackage },
];

function packageClause(path: string, sources: Sources): string {
  return /^package \w+$/m.exec(sources.text(path) ?? '')?.[0] ?? 'package main';
}

function renamed(place: (path: string) => string): ChangeKind['draw'] {
  return (sources, random) => {
    const path = drawPath(sources, random, /(?<!_test|_windows)\.go$/);
    if (path === undefined) return undefined;
    const to = place(path);
    const files = [
      { path, after: undefined },
      { path: to, after: sources.text(path) ?? '' },
    ];
    return { kind: '', sentence: `renames ${path} to ${to}`, files };
  };
}

/** A package in a new directory, and a file that imports it and uses it rightly or wrongly. */
function newPackage(sources: Sources, random: SeededRandom): Change | undefined {
  const [, module] = /^module (\S+)/m.exec(sources.text('go.mod') ?? '') ?? [];
  const path = drawPath(sources, random, /(?<!_test)\.go$/);
  const text = path === undefined ? undefined : sources.text(path);
  if (module === undefined || path === undefined || text === undefined) return undefined;
  const type = drawOne(['int', 'string'], random) ?? 'int';
  const at = posix.join(posix.dirname(path), 'brandnew', 'created.go');
  const specifier = posix.join(module, posix.dirname(path), 'brandnew');
  const clause = packageClause(path, sources);
  const after = `${text.replace(clause, `${clause}\n\nimport "${specifier}"`)}\nvar usesCreated ${type} = brandnew.Created\n`;
  return {
    kind: '',
    sentence: `creates ${at} and uses its int as a ${type} in ${path}`,
    files: [
      { path: at, after: 'package brandnew\n\nconst Created int = 1\n' },
      { path, after },
    ],
  };
}

const inFiles = lineKinds(file, inLine);

export const goKinds: readonly ChangeKind[] = [
  ...inFiles,
  ...lineKinds(/(^|\/)go\.mod$/, inModule),
  ...places,
  { name: 'several-files', draw: severalFiles([...inFiles.slice(6, 15), ...places.slice(0, 2)]) },
  {
    name: 'module-cut',
    draw: (sources, random) => {
      const path = drawPath(sources, random, /(^|\/)go\.mod$/);
      const text = path === undefined ? '' : (sources.text(path) ?? '');
      return oneFile(path, text.slice(0, Math.floor(text.length / 2)), 'cuts in half');
    },
  },
];

/** Kinds of changes that are drawn from C++ repositories. */
import { posix } from 'node:path';
import type { SeededRandom } from '../seeded-random.ts';
import type { Change, ChangeKind } from './change.ts';
import { drawLine, type LineKind, lineKinds, placeKinds } from './line-kind.ts';
import { severalFiles } from './several-files.ts';
import { drawOne, type Sources } from './sources.ts';

const file = /^(?!test|example|util|fuzz).*\.(h|hpp|cc|cpp)$/;
const opening = /^([\w:<>&*~, ]+)\(.*\) (?:const )?(?:noexcept )?\{$/;

const inLine: readonly LineKind[] = [
  {
    name: 'comment',
    at: /^(\s*)(class|struct|return|void|bool|int) .*$/,
    put: ([line, indent]) => `${indent}// A remark.\n${line}`,
  },
  { name: 'blank', at: /^(class|struct|namespace) .*$/, put: ([line]) => `\n\n${line}` },
  { name: 'body', at: opening, put: ([line]) => `${line}\n  (void)0;` },
  {
    name: 'body-error',
    at: opening,
    put: ([line]) => `${line}\n  int wrong_number = "text"; (void)wrong_number;`,
  },
  { name: 'undefined-name', at: opening, put: ([line]) => `${line}\n  name_that_is_undefined();` },
  {
    name: 'rename-declaration',
    at: /^(\s+(?:\w[\w:<>&* ]*) )([a-zA-Z]\w+)(\(.*\)(?: const)?;)$/,
    put: ([, start, name, rest]) => `${start}${name}Renamed${rest}`,
  },
  {
    name: 'rename-definition',
    at: /^([\w:<>&*]+ (?:\w+::)?)(\w+)(\(.*\) (?:const )?\{)$/,
    put: ([, start, name, rest]) => `${start}${name}Renamed${rest}`,
  },
  {
    name: 'rename-type',
    at: /^((?:class|struct) (?:\w+ )?)(\w+)( (?:final )?(?:: .*)?\{)$/,
    put: ([, start, name, rest]) => `${start}${name}Renamed${rest}`,
  },
  {
    name: 'required-parameter',
    at: /^(\s+[\w:<>&* ]+ \w+\()(.*\)(?: const)?;)$/,
    put: ([, start, rest = '']) => `${start}int added_parameter${rest.startsWith(')') ? '' : ', '}${rest}`,
  },
  {
    name: 'parameter-type',
    at: /^(.*\(.*?)(const std::string&|int|bool|std::size_t|char)( \w+[,)].*)$/,
    put: ([, start, , rest]) => `${start}const volatile double*${rest}`,
  },
  {
    name: 'return-type',
    at: /^(\s+)(bool|int|void|std::string|std::size_t)( \w+\(.*\)(?: const)?;)$/,
    put: ([, indent, , rest]) => `${indent}const volatile double*${rest}`,
  },
  { name: 'member-removed', at: /^\s+[\w:<>&*]+ (m_)?\w+;$/, put: () => '' },
  { name: 'enumerator-removed', at: /^\s+[A-Z]\w*,$/, put: () => '' },
  { name: 'not-const', at: /^(.*\)) const(;| \{)$/, put: ([, start, rest]) => `${start}${rest}` },
  { name: 'include-missing', at: /^#include .*$/, put: ([line]) => `${line}\n#include "does_not_exist.h"` },
  { name: 'include-removed', at: /^#include [<"].*$/, put: () => '' },
  { name: 'macro-removed', at: /^#\s*define \w+.*[^\\]$/, put: () => '' },
  { name: 'made-private', at: /^( ?)public:$/, put: ([, indent]) => `${indent}private:` },
  { name: 'syntax-brace', at: opening, put: ([line]) => line.slice(0, -1) },
  { name: 'syntax-semicolon', at: /^(\s+.*\w+);$/, put: ([, start]) => start },
];

const places: readonly ChangeKind[] = [
  ...placeKinds({
    file,
    renamed: (name) => name.replace(/\.(\w+)$/, '_renamed.$1'),
    wrongText: () => 'static int wrong_number = "text";\n',
  }),
  { name: 'create-included', draw: newHeader },
];

/** A new header, and a file that includes it and uses it rightly or wrongly. */
function newHeader(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawLine(sources, random, { file, at: /^#include ".*$/ });
  if (!found) return undefined;
  const at = posix.join(posix.dirname(found.path), 'created_header.h');
  const type = drawOne(['int', 'int*'], random) ?? 'int';
  const lines = [...found.lines];
  lines.splice(
    found.row + 1,
    0,
    '#include "created_header.h"',
    `static ${type} const uses_created = created_value();`,
  );
  return {
    kind: '',
    sentence: `creates ${at} and uses its int as ${type} in ${found.path}`,
    files: [
      { path: at, after: '#pragma once\ninline int created_value() { return 1; }\n' },
      { path: found.path, after: lines.join('\n') },
    ],
  };
}

const inFiles = lineKinds(file, inLine);

export const cppKinds: readonly ChangeKind[] = [
  ...inFiles,
  ...places,
  { name: 'several-files', draw: severalFiles([...inFiles.slice(5, 14), ...places.slice(0, 2)]) },
];

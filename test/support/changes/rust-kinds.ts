/** Kinds of changes that are drawn from Rust packages. */
import { posix } from 'node:path';
import type { SeededRandom } from '../seeded-random.ts';
import type { Change, ChangeKind } from './change.ts';
import { drawLine, type LineKind, lineKinds, oneFile, placeKinds } from './line-kind.ts';
import { severalFiles } from './several-files.ts';
import { drawOne, drawPath, type Sources } from './sources.ts';

const file = /\.rs$/;
const opening = /^(\s*)(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*fn .*\{$/;

const inLine: readonly LineKind[] = [
  {
    name: 'comment',
    at: /^(\s*)(pub |fn |struct |impl ).*$/,
    put: ([line, indent]) => `${indent}// A remark.\n${line}`,
  },
  {
    name: 'doc-comment',
    at: /^(\s*)(pub fn|pub struct|fn) .*$/,
    put: ([line, indent]) => `${indent}/// A remark.\n${line}`,
  },
  { name: 'blank', at: /^(pub |fn |impl ).*$/, put: ([line]) => `\n\n${line}` },
  { name: 'body', at: opening, put: ([line, indent]) => `${line}\n${indent}    let _ = 0;` },
  {
    name: 'body-error',
    at: opening,
    put: ([line, indent]) => `${line}\n${indent}    let _wrong: i32 = "text";`,
  },
  {
    name: 'undefined-name',
    at: opening,
    put: ([line, indent]) => `${line}\n${indent}    name_that_is_undefined();`,
  },
  {
    name: 'unused-local',
    at: opening,
    put: ([line, indent]) => `${line}\n${indent}    let unused_local = 0;`,
  },
  {
    name: 'rename-function',
    at: /^(\s*(?:pub(?:\([^)]*\))? )?fn )(\w+)(.*)$/,
    put: ([, start, name, rest]) => `${start}${name}_renamed${rest}`,
  },
  {
    name: 'rename-type',
    at: /^((?:pub(?:\([^)]*\))? )?(?:struct|enum|trait) )(\w+)(.*)$/,
    put: ([, start, name, rest]) => `${start}${name}Renamed${rest}`,
  },
  {
    name: 'not-public',
    at: /^(\s*)pub (fn|struct|enum|mod|use|const) (.*)$/,
    put: ([, indent, kind, rest]) => `${indent}${kind} ${rest}`,
  },
  {
    name: 'required-parameter',
    at: /^(\s*(?:pub(?:\([^)]*\))? )?fn \w+\()((?:&(?:mut )?self|self|mut self)?)(,? ?)(.*)$/,
    put: ([, start, self = '', , rest = '']) =>
      `${start}${self === '' ? '' : `${self}, `}_added: u8${rest.startsWith(')') ? '' : ', '}${rest}`,
  },
  {
    name: 'parameter-type',
    at: /^(\s*(?:pub )?fn \w+\(.*?\w+: )(&str|usize|u8|bool|u64|i64|f64|&\[u8\])([,)].*)$/,
    put: ([, start, , rest]) => `${start}[char; 3]${rest}`,
  },
  {
    name: 'return-type',
    at: /^(\s*(?:pub )?fn .*-> )([^{]+)( \{)$/,
    put: ([, start, , rest]) => `${start}[char; 3]${rest}`,
  },
  { name: 'field-removed', at: /^\s+(pub(?:\([^)]*\))? )?\w+: [\w<>:&' ,]+,$/, put: () => '' },
  { name: 'variant-removed', at: /^ {4}[A-Z]\w*(\([^)]*\))?,$/, put: () => '' },
  {
    name: 'variant-added',
    at: /^((?:pub )?(?:\(crate\) )?enum \w+ \{)$/,
    put: ([line]) => `${line}\n    AddedVariant,`,
  },
  {
    name: 'trait-method-added',
    at: /^((?:pub )?trait .*\{)$/,
    put: ([line]) => `${line}\n    fn added_method(&self) -> u8;`,
  },
  { name: 'module-removed', at: /^(pub )?mod \w+;$/, put: () => '' },
  { name: 'use-removed', at: /^(pub )?use [\w:]+;$/, put: () => '' },
  { name: 'use-missing', at: /^use .*;$/, put: ([line]) => `${line}\nuse crate::does_not_exist::Nothing;` },
  {
    name: 'unused-use',
    at: /^use .*;$/,
    put: ([line]) => `${line}\nuse core::cell::OnceCell as UnusedCell;`,
  },
  {
    name: 'behind-feature',
    at: /^(pub )?(fn|struct|mod|use) .*$/,
    put: ([line]) => `#[cfg(feature = "feature-that-is-off")]\n${line}`,
  },
  {
    name: 'behind-platform',
    at: /^(pub )?(fn|struct|mod|use) .*$/,
    put: ([line]) => `#[cfg(windows)]\n${line}`,
  },
  { name: 'derive-removed', at: /^\s*#\[derive\(.*\)\]$/, put: () => '' },
  { name: 'syntax-brace', at: opening, put: ([line]) => line.slice(0, -1) },
  { name: 'syntax-insert', at: /^(pub |fn |impl ).*$/, put: ([line]) => `fn ( {\n${line}` },
];

const inManifest: readonly LineKind[] = [
  { name: 'manifest-dependency-removed', at: /^\w[\w-]* = (\{ version|").*$/, put: () => '' },
  { name: 'manifest-edition', at: /^edition = .*$/, put: () => 'edition = "2015"' },
  { name: 'manifest-unknown-edition', at: /^edition = .*$/, put: () => 'edition = "1999"' },
  { name: 'manifest-feature-removed', at: /^(default|std|alloc|\w+) = \[.*\]$/, put: () => '' },
  { name: 'manifest-broken', at: /^\[dependencies\]$/, put: () => '[dependencies' },
];

const places: readonly ChangeKind[] = [
  ...placeKinds({
    file,
    renamed: (name) => name.replace(/\.rs$/, '_renamed.rs'),
    wrongText: () => 'pub const WRONG_NUMBER: u8 = "text";\n',
  }),
  { name: 'create-in-module', draw: newModule },
  {
    name: 'manifest-cut',
    draw: (sources, random) => {
      const path = drawPath(sources, random, /(^|\/)Cargo\.toml$/);
      const text = path === undefined ? '' : (sources.text(path) ?? '');
      return oneFile(path, text.slice(0, Math.floor(text.length / 2)), 'cuts in half');
    },
  },
];

/** A new module, declared beside another, rightly or wrongly. */
function newModule(sources: Sources, random: SeededRandom): Change | undefined {
  const found = drawLine(sources, random, { file: /(^|\/)(lib|mod|main)\.rs$/, at: /^(pub )?mod \w+;$/ });
  if (!found) return undefined;
  const at = posix.join(posix.dirname(found.path), 'created.rs');
  const value = drawOne(['1', '"text"'], random) ?? '1';
  const lines = [...found.lines];
  lines.splice(found.row, 0, 'pub mod created;');
  return {
    kind: '',
    sentence: `creates ${at} with ${value} as a u8 and declares it in ${found.path}`,
    files: [
      { path: at, after: `pub const CREATED: u8 = ${value};\n` },
      { path: found.path, after: lines.join('\n') },
    ],
  };
}

const inFiles = lineKinds(file, inLine);

export const rustKinds: readonly ChangeKind[] = [
  ...inFiles,
  ...lineKinds(/^Cargo\.toml$/, inManifest),
  ...places,
  { name: 'several-files', draw: severalFiles([...inFiles.slice(7, 18), ...places.slice(0, 2)]) },
];

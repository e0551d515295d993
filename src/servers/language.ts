/**
 * The language of a file, by its whole name, its extension or its first line.
 *
 * Invariant: every answer is a key of the language table, or a language that a caller named itself through
 * `languageId`; an unrecognised file has no language rather than a guessed one.
 */
import { basename } from 'node:path';
import type { Brand } from '../base/brand.ts';

/** The id by which a user, a tool or a configuration names a language, e.g. `typescript`. */
export type LanguageId = Brand<string, 'LanguageId'>;

/** How files of a language are recognised. Extensions have no dot and are lower case. */
export interface Language {
  readonly extensions: readonly string[];
  readonly fileNames?: readonly string[];
  /** Names of interpreters in a `#!` line. */
  readonly shebangs?: readonly string[];
  /** Extensions that need another LSP language id when the document is opened. */
  readonly documentIds?: Readonly<Record<string, string>>;
}

/** A name as a language id; ids are lower case. */
export function languageId(name: string): LanguageId {
  return name.toLowerCase() as LanguageId;
}

/** Every known language, in the order in which a shared extension is decided. */
export const languages: ReadonlyMap<LanguageId, Language> = table({
  go: { extensions: ['go'] },
  typescript: { extensions: ['ts', 'tsx', 'mts', 'cts'], documentIds: { tsx: 'typescriptreact' } },
  javascript: {
    extensions: ['js', 'jsx', 'mjs', 'cjs'],
    shebangs: ['node', 'nodejs'],
    documentIds: { jsx: 'javascriptreact' },
  },
  python: { extensions: ['py', 'pyw', 'pyi'], shebangs: ['python', 'pypy'] },
  rust: { extensions: ['rs'] },
  c: { extensions: ['c', 'h'] },
  cpp: { extensions: ['cpp', 'cc', 'cxx', 'c++', 'hpp', 'hxx', 'hh', 'ipp', 'inl'] },
  java: { extensions: ['java'] },
  csharp: { extensions: ['cs', 'csx'] },
  ruby: {
    extensions: ['rb', 'rake', 'gemspec'],
    fileNames: ['Gemfile', 'Rakefile', 'Guardfile', 'Podfile'],
    shebangs: ['ruby'],
  },
  php: { extensions: ['php', 'phtml'], shebangs: ['php'] },
  kotlin: { extensions: ['kt', 'kts'] },
  yaml: { extensions: ['yaml', 'yml'], fileNames: ['.clangd', '.clang-format', '.clang-tidy'] },
  json: {
    extensions: ['json', 'jsonc'],
    fileNames: ['.babelrc', '.eslintrc', '.prettierrc', '.swcrc'],
    documentIds: { jsonc: 'jsonc' },
  },
  dockerfile: { extensions: ['dockerfile'], fileNames: ['Dockerfile', 'Containerfile'] },
  lua: { extensions: ['lua'], shebangs: ['lua', 'luajit'] },
  swift: { extensions: ['swift'], shebangs: ['swift'] },
  zig: { extensions: ['zig'] },
  css: { extensions: ['css', 'scss', 'less'], documentIds: { scss: 'scss', less: 'less' } },
  html: { extensions: ['html', 'htm'] },
  terraform: { extensions: ['tf', 'tfvars'], documentIds: { tfvars: 'terraform-vars' } },
  scala: { extensions: ['scala', 'sc', 'sbt'], shebangs: ['scala'] },
  gleam: { extensions: ['gleam'] },
  elixir: { extensions: ['ex', 'exs'], shebangs: ['elixir'] },
  prisma: { extensions: ['prisma'] },
  sql: { extensions: ['sql'] },
  clojure: { extensions: ['clj', 'cljs', 'cljc', 'edn'], shebangs: ['bb'] },
  nix: { extensions: ['nix'] },
  dart: { extensions: ['dart'], shebangs: ['dart'] },
  mongodb: { extensions: ['mongodb'] },
  haskell: { extensions: ['hs', 'lhs'], shebangs: ['runhaskell', 'runghc'] },
  ocaml: { extensions: ['ml', 'mli'], shebangs: ['ocaml'], documentIds: { mli: 'ocaml.interface' } },
  shellscript: {
    extensions: ['sh', 'bash'],
    fileNames: ['.bashrc', '.bash_profile', '.bash_aliases', '.profile'],
    shebangs: ['sh', 'bash', 'dash', 'ash', 'ksh'],
  },
  cmake: { extensions: ['cmake'], fileNames: ['CMakeLists.txt'] },
});

const byExtension = index((language) => language.extensions);
const byFileName = index((language) => language.fileNames ?? []);
const byShebang = index((language) => language.shebangs ?? []);

/** The language of a file; `firstLine` is used only if its name is not recognised. */
export function languageOf(path: string, firstLine?: string): LanguageId | undefined {
  const name = basename(path);
  return (
    byFileName.get(name.toLowerCase()) ??
    languageOfVariant(name) ??
    byExtension.get(extensionOf(path)) ??
    (firstLine === undefined ? undefined : languageOfShebang(firstLine))
  );
}

/** The extension of a path without its dot, lower case; empty if there is none. */
export function extensionOf(path: string): string {
  const name = basename(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/** The LSP language id of a document; finer than the language for JSX, SCSS and similar. */
export function documentIdOf(path: string, language: LanguageId): string {
  return languages.get(language)?.documentIds?.[extensionOf(path)] ?? language;
}

/** `Dockerfile.dev` and `Containerfile.ci` are the one family recognised by the part before the dot. */
function languageOfVariant(name: string): LanguageId | undefined {
  const stem = name.slice(0, name.indexOf('.')).toLowerCase();
  if (stem !== 'dockerfile' && stem !== 'containerfile') return undefined;
  return byExtension.get(extensionOf(name)) ?? byFileName.get(stem);
}

function languageOfShebang(firstLine: string): LanguageId | undefined {
  if (!firstLine.startsWith('#!')) return undefined;
  const words = firstLine.slice(2).trim().split(/\s+/);
  const launched = basename(words[0] ?? '') === 'env' ? words.slice(1).find(isProgram) : words[0];
  // `python3.12` and `ruby2.7` are interpreters with a version.
  const interpreter = basename(launched ?? '').replace(/[\d.]+$/, '');
  return byShebang.get(interpreter.toLowerCase());
}

/** Skips options (`-S`) and assignments (`A=b`) on an `env` line. */
function isProgram(word: string): boolean {
  return !word.startsWith('-') && !word.includes('=');
}

function table(rows: Readonly<Record<string, Language>>): ReadonlyMap<LanguageId, Language> {
  return new Map(Object.entries(rows).map(([name, language]) => [languageId(name), language]));
}

function index(names: (language: Language) => readonly string[]): ReadonlyMap<string, LanguageId> {
  const found = new Map<string, LanguageId>();
  for (const [id, language] of languages) {
    for (const name of names(language)) {
      if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), id);
    }
  }
  return found;
}

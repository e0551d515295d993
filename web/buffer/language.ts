/**
 * The language of a file, for its colours, its indentation and its folds.
 *
 * Invariant: every language is a chunk of its own; none is part of the first load.
 */
import { LanguageSupport, StreamLanguage, type StreamParser } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { nameOf } from '../shell/place.ts';

type Loader = () => Promise<Extension>;

export async function loadLanguage(path: string): Promise<Extension | undefined> {
  return await loaderOf(nameOf(path))?.();
}

function loaderOf(name: string): Loader | undefined {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return byName[name] ?? byExtension[extension];
}

const javascript =
  (options: { readonly jsx?: boolean; readonly typescript?: boolean }): Loader =>
  async () =>
    (await import('@codemirror/lang-javascript')).javascript(options);

const old = async (load: () => Promise<StreamParser<unknown>>): Promise<Extension> =>
  new LanguageSupport(StreamLanguage.define(await load()));

const cpp: Loader = async () => (await import('@codemirror/lang-cpp')).cpp();
const json: Loader = async () => (await import('@codemirror/lang-json')).json();
const yaml: Loader = async () => (await import('@codemirror/lang-yaml')).yaml();
const python: Loader = async () => (await import('@codemirror/lang-python')).python();
const markdown: Loader = async () => (await import('@codemirror/lang-markdown')).markdown();
const html: Loader = async () => (await import('@codemirror/lang-html')).html();
const css: Loader = async () => (await import('@codemirror/lang-css')).css();
const shell: Loader = () => old(async () => (await import('@codemirror/legacy-modes/mode/shell')).shell);
const clike = (name: 'csharp' | 'kotlin' | 'scala' | 'dart'): Loader => {
  return () => old(async () => (await import('@codemirror/legacy-modes/mode/clike'))[name]);
};

const byExtension: Readonly<Record<string, Loader>> = {
  ts: javascript({ typescript: true }),
  mts: javascript({ typescript: true }),
  cts: javascript({ typescript: true }),
  tsx: javascript({ typescript: true, jsx: true }),
  js: javascript({ jsx: true }),
  mjs: javascript({ jsx: true }),
  cjs: javascript({ jsx: true }),
  jsx: javascript({ jsx: true }),
  py: python,
  pyi: python,
  json,
  jsonc: json,
  html,
  htm: html,
  vue: html,
  svelte: html,
  css,
  scss: css,
  less: css,
  md: markdown,
  rs: async () => (await import('@codemirror/lang-rust')).rust(),
  c: cpp,
  h: cpp,
  cc: cpp,
  cpp,
  cxx: cpp,
  hpp: cpp,
  go: async () => (await import('@codemirror/lang-go')).go(),
  java: async () => (await import('@codemirror/lang-java')).java(),
  yaml,
  yml: yaml,
  sh: shell,
  bash: shell,
  zsh: shell,
  toml: () => old(async () => (await import('@codemirror/legacy-modes/mode/toml')).toml),
  rb: () => old(async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby),
  lua: () => old(async () => (await import('@codemirror/legacy-modes/mode/lua')).lua),
  swift: () => old(async () => (await import('@codemirror/legacy-modes/mode/swift')).swift),
  sql: () => old(async () => (await import('@codemirror/legacy-modes/mode/sql')).standardSQL),
  hs: () => old(async () => (await import('@codemirror/legacy-modes/mode/haskell')).haskell),
  clj: () => old(async () => (await import('@codemirror/legacy-modes/mode/clojure')).clojure),
  ex: () => old(async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby),
  exs: () => old(async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby),
  ml: () => old(async () => (await import('@codemirror/legacy-modes/mode/mllike')).oCaml),
  r: () => old(async () => (await import('@codemirror/legacy-modes/mode/r')).r),
  pl: () => old(async () => (await import('@codemirror/legacy-modes/mode/perl')).perl),
  diff: () => old(async () => (await import('@codemirror/legacy-modes/mode/diff')).diff),
  patch: () => old(async () => (await import('@codemirror/legacy-modes/mode/diff')).diff),
  cs: clike('csharp'),
  kt: clike('kotlin'),
  kts: clike('kotlin'),
  scala: clike('scala'),
  dart: clike('dart'),
};

const byName: Readonly<Record<string, Loader>> = {
  Dockerfile: () => old(async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile),
  'CMakeLists.txt': () => old(async () => (await import('@codemirror/legacy-modes/mode/cmake')).cmake),
};

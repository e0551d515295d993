/**
 * The facts about a language needed to separate its code from comments and strings, and to find its blocks. It is not
 * a grammar: just enough to find the body of a definition.
 *
 * Invariant: a syntax is plain data; an unknown language is read like C.
 */
import type { LanguageId } from '../servers/language.ts';

export interface CodeSyntax {
  /** How the body of a definition is delimited. */
  readonly block: 'braces' | 'indentation' | 'end-keyword';
  readonly lineComments: readonly string[];
  readonly blockComment?:
    | { readonly open: string; readonly close: string; readonly nests: boolean }
    | undefined;
  /** The meaning of a single quote; `character` excludes Rust's lifetimes and generic ticks. */
  readonly singleQuote: 'string' | 'character';
  /** The meaning of a backtick: a template, a raw string over several lines, or nothing. */
  readonly backtick: 'template' | 'raw' | 'none';
  readonly hasTripleQuotes: boolean;
  /** `r"…"` and `r#"…"#`. */
  readonly hasRawHashStrings: boolean;
  readonly hasRegularExpressions: boolean;
  /** Prefixes of lines that belong to the definition below, besides comments. */
  readonly annotations: readonly string[];
}

export function syntaxOf(language: LanguageId): CodeSyntax {
  return Object.hasOwn(syntaxes, language) ? (syntaxes[language] ?? cFamily) : cFamily;
}

const slashes = ['//'] as const;
const stars = { open: '/*', close: '*/', nests: false } as const;

const cFamily: CodeSyntax = {
  block: 'braces',
  lineComments: slashes,
  blockComment: stars,
  singleQuote: 'character',
  backtick: 'none',
  hasTripleQuotes: false,
  hasRawHashStrings: false,
  hasRegularExpressions: false,
  annotations: ['@'],
};

const c: CodeSyntax = { ...cFamily, annotations: ['template', '[['] };

const ecmascript: CodeSyntax = {
  ...cFamily,
  singleQuote: 'string',
  backtick: 'template',
  hasRegularExpressions: true,
};

const nesting: CodeSyntax = { ...cFamily, blockComment: { ...stars, nests: true }, hasTripleQuotes: true };

const hashed = { lineComments: ['#'], singleQuote: 'string' } as const;

const python: CodeSyntax = {
  ...cFamily,
  ...hashed,
  block: 'indentation',
  blockComment: undefined,
  hasTripleQuotes: true,
};

const ruby: CodeSyntax = { ...python, block: 'end-keyword', hasTripleQuotes: false, annotations: [] };

const syntaxes: Readonly<Record<string, CodeSyntax>> = {
  typescript: ecmascript,
  typescriptreact: ecmascript,
  javascript: ecmascript,
  javascriptreact: ecmascript,
  python,
  go: { ...cFamily, backtick: 'raw', annotations: [] },
  rust: { ...nesting, hasTripleQuotes: false, hasRawHashStrings: true, annotations: ['#['] },
  c,
  cpp: c,
  csharp: { ...cFamily, hasTripleQuotes: true, annotations: ['['] },
  java: { ...cFamily, hasTripleQuotes: true },
  kotlin: nesting,
  scala: nesting,
  swift: nesting,
  dart: { ...cFamily, singleQuote: 'string', hasTripleQuotes: true },
  php: { ...cFamily, ...hashed, lineComments: ['//', '#'], annotations: ['#['] },
  ruby,
  elixir: { ...ruby, hasTripleQuotes: true, singleQuote: 'character', annotations: ['@'] },
  lua: { ...ruby, lineComments: ['--'] },
};

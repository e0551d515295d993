/**
 * What must be known of a language to tell its code from its comments and strings, and its blocks from the
 * rest. Not a grammar: just enough to find where a definition's body begins and ends.
 *
 * Invariant: a syntax is plain data; a language nobody described is read as one of the C family.
 */
import type { LanguageId } from '../servers/language.ts';

export interface CodeSyntax {
  /** What holds the body of a definition together. */
  readonly block: 'braces' | 'indentation' | 'end-keyword';
  readonly lineComments: readonly string[];
  readonly blockComment?:
    | { readonly open: string; readonly close: string; readonly nests: boolean }
    | undefined;
  /** What a single quote begins; `character` leaves Rust's lifetimes and generic ticks alone. */
  readonly singleQuote: 'string' | 'character';
  /** What a backtick begins: text with expressions in it, plain text over several lines, or nothing. */
  readonly backtick: 'template' | 'raw' | 'none';
  readonly hasTripleQuotes: boolean;
  /** `r"…"` and `r#"…"#`. */
  readonly hasRawHashStrings: boolean;
  readonly hasRegularExpressions: boolean;
  /** What begins a line that belongs to the definition below it, besides a comment. */
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

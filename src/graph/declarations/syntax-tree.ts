/**
 * TypeScript and JavaScript syntax trees in the shape of ESTree.
 *
 * The parser is a native module and is loaded on first use, so that startup does not pay for it.
 *
 * Invariant: a text that does not parse, or is nested too deeply to be walked, has no tree.
 */
import { suffixOf } from '../reach/reach-family.ts';

export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface SyntaxTree {
  readonly statements: readonly SyntaxNode[];
  readonly comments: readonly SyntaxComment[];
  readonly dialect: 'typescript' | 'javascript';
  /** A declaration file: everything it declares is exported unless stated otherwise. */
  readonly isDeclarationFile: boolean;
}

export interface SyntaxComment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export type Parser = (path: string, text: string) => SyntaxTree | undefined;

let loading: Promise<Parser> | undefined;

/** The parser, loaded once for the process. */
export function loadParser(): Promise<Parser> {
  loading ??= import('oxc-parser').then(({ parseSync }) => (path, text) => {
    // The parser recurses in native code, where a stack overflow ends the process.
    if (isTooDeep(text)) return undefined;
    const dialect = isTypeScript(path) ? 'typescript' : 'javascript';
    // Without a language option, `.js` would be parsed without JSX, which TypeScript allows there.
    const options = dialect === 'javascript' ? ({ lang: 'jsx', astType: 'ts' } as const) : undefined;
    const { errors, program, comments } = parseSync(path, text, options);
    if (errors.length > 0) return undefined;
    return {
      // The parser's own types are a union of two hundred; the rules here use a few fields of a few nodes.
      statements: program.body as unknown as readonly SyntaxNode[],
      comments: comments.map(({ value, start, end }) => ({ text: value, start, end })),
      dialect,
      isDeclarationFile: /\.d\.(?:[^./]+\.)?[mc]?ts$/.test(path),
    };
  });
  return loading;
}

export function isTypeScript(path: string): boolean {
  return /^[mc]?tsx?$/.test(suffixOf(path));
}

/** The node in a field, if there is one. */
export function nodeAt(node: SyntaxNode, field: string): SyntaxNode | undefined {
  const value = node[field];
  return isNode(value) ? value : undefined;
}

/** The nodes in a field that holds a list. */
export function nodesAt(node: SyntaxNode, field: string): readonly SyntaxNode[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The name of an identifier, or the value of a string. */
export function nameOf(node: SyntaxNode | undefined): string | undefined {
  const name = node?.name ?? node?.value;
  return typeof name === 'string' ? name : undefined;
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/**
 * Whether brackets are nested more deeply than in any program written by people. Those in strings and comments count
 * as well.
 */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === openParenthesis || character === openBracket || character === openBrace) depth += 1;
    else if (character === closeParenthesis || character === closeBracket || character === closeBrace)
      depth = Math.max(0, depth - 1);
    if (depth > deepest) return true;
  }
  return false;
}

const [openParenthesis, openBracket, openBrace] = [0x28, 0x5b, 0x7b];
const [closeParenthesis, closeBracket, closeBrace] = [0x29, 0x5d, 0x7d];
const deepest = 500;

/**
 * The comments and attributes that affect the compiler beyond their own line; equal for two texts with the same ones.
 * `@ts-nocheck`, `@ts-ignore` and `@ts-expect-error` are not among them: they suppress errors of their own file, which is
 * checked in any case. Tags inside a statement belong to what it declares (`tagsInside`).
 */
export function directivesOf(tree: SyntaxTree, text: string): string {
  const { statements, comments } = tree;
  const start = statements[0]?.start ?? text.length;
  const header = comments.filter((comment) => comment.start < start).map((comment) => comment.text);
  const references = header.filter((comment) => /^\/\s*</.test(comment));
  const pragmas = comments.flatMap((comment) => comment.text.match(/@jsx\w*\s+\S+/g) ?? []);
  const isInside = ({ start: at }: SyntaxComment) =>
    statements.some((statement) => statement.start < at && at < statement.end);
  const tags = taggedIn(tree).filter((comment) => !isInside(comment));
  const attributes = statements.flatMap((statement) =>
    nodesAt(statement, 'attributes').map((attribute) => text.slice(attribute.start, attribute.end)),
  );
  return [...references, ...pragmas, ...tags.flatMap((comment) => tagsOf(comment, text)), ...attributes].join(
    '\n',
  );
}

/** The tags of members inside a statement, each with the words that follow it. */
export function tagsInside(tree: SyntaxTree, { start, end }: SyntaxNode, text: string): string {
  const tagged = taggedIn(tree).filter((comment) => start < comment.start && comment.start < end);
  return tagged.flatMap((comment) => tagsOf(comment, text)).join('\n');
}

/** The comments with a tag that affects diagnostics where the declaration is used, or its emitted code. */
function taggedIn({ comments }: SyntaxTree): readonly SyntaxComment[] {
  return comments.filter((comment) => tagPattern.test(comment.text));
}

function tagsOf(comment: SyntaxComment, text: string): readonly string[] {
  const words = text.slice(comment.end, comment.end + lookahead).match(/[\w$]+/g);
  return (comment.text.match(tagsPattern) ?? []).map((tag) => `${tag} ${words?.slice(0, 3)}`);
}

const tagPattern = /@(?:deprecated|internal)\b/;
const tagsPattern = new RegExp(tagPattern, 'g');

/** Long enough for the first words of a declaration. */
const lookahead = 200;

/**
 * What JavaScript expresses without syntax: types in comments, and exports by assignment.
 *
 * Invariant: every name that a file may export is listed, or comes from a module it re-exports; a listed name that it
 * does not export only costs time.
 */
import type { ImportUse, ModuleBindings } from './module-facts.ts';
import type { SyntaxTree } from './syntax-tree.ts';

export interface UntypedExports {
  /** Names of the file and imports that any of its declarations may depend on. */
  readonly mentions: readonly (string | ImportUse)[];
  readonly exported: ReadonlySet<string>;
  /** Whether it may re-export the modules it requires. */
  readonly passedOn: boolean;
}

export function untypedExports(tree: SyntaxTree, text: string, bindings: ModuleBindings): UntypedExports {
  const comments = tree.comments.map((comment) => comment.text).join('\n');
  const uses = [...comments.matchAll(/\bimport\s*\(\s*['"]([^'"]*)['"]|\bfrom\s*['"]([^'"]*)['"]/g)].map(
    ([, typed, imported]) => ({ specifier: typed ?? imported ?? '', name: '*' }),
  );
  const definesTypes = /@(?:typedef|callback|enum)\b/.test(comments);
  const assigns = isCommonJs(tree, text);
  const exported = assigns ? ['default', ...wordsIn(text)] : definesTypes ? wordsIn(comments) : [];
  return {
    mentions: [...wordsIn(comments).flatMap((word) => bindings.mention(word)), ...uses],
    exported: new Set(exported),
    passedOn: assigns,
  };
}

/** A file without module syntax that requires or exports. */
export function isCommonJs({ dialect, statements }: SyntaxTree, text: string): boolean {
  const isModule = statements.some(({ type }) => /^(?:Import|Export)/.test(type));
  return dialect === 'javascript' && !isModule && /\b(?:require|exports)\b/.test(text);
}

function wordsIn(text: string): readonly string[] {
  return [...new Set(text.match(/[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g))];
}

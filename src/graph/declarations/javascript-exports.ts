/**
 * What JavaScript says without syntax for it: types in comments, and exports by assignment.
 *
 * Invariant: whatever a file may export is among the names given, or comes from a module it passes on; a name that it
 * does not export costs time only.
 */
import type { ImportUse, ModuleBindings } from './module-bindings.ts';
import type { SyntaxTree } from './syntax-tree.ts';

export interface UntypedExports {
  /** Names of the file and uses of others that any of its declarations may rest on. */
  readonly mentions: readonly (string | ImportUse)[];
  readonly exported: ReadonlySet<string>;
  /** Whether it may pass on the modules it requires. */
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

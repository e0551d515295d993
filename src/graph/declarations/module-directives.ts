/**
 * Comments and attributes that affect the compiler beyond their own line.
 *
 * `@ts-nocheck`, `@ts-ignore` and `@ts-expect-error` are not among them: they suppress errors of their own file,
 * which is checked in any case.
 */
import type { SyntaxTree } from './syntax-tree.ts';
import { nodesAt } from './syntax-tree.ts';

/** Equal for two texts with the same directives. */
export function directivesOf({ statements, comments }: SyntaxTree, text: string): string {
  const start = statements[0]?.start ?? text.length;
  const header = comments.filter((comment) => comment.start < start).map((comment) => comment.text);
  const references = header.filter((comment) => /^\/\s*</.test(comment));
  const pragmas = comments.flatMap((comment) => comment.text.match(/@jsx\w*\s+\S+/g) ?? []);
  // Tags that affect diagnostics at uses of the declaration, or its emitted code, belong to the declaration.
  const tags = comments.flatMap((comment) =>
    (comment.text.match(/@(?:deprecated|internal)\b/g) ?? []).map(
      (tag) =>
        `${tag} ${text
          .slice(comment.end, comment.end + lookahead)
          .match(/[\w$]+/g)
          ?.slice(0, 3)}`,
    ),
  );
  const attributes = statements.flatMap((statement) =>
    nodesAt(statement, 'attributes').map((attribute) => text.slice(attribute.start, attribute.end)),
  );
  return [...references, ...pragmas, ...tags, ...attributes].join('\n');
}

/** Long enough for the first words of a declaration. */
const lookahead = 200;

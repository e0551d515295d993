/**
 * What a project is asked about one of its files.
 *
 * Invariant: the answers together are what the compiler reports for the file.
 */
import type { ApiDiagnostic, ApiProject, FileQuestion } from './api-session.ts';

/** Whether hints (suggestions) are requested as well: they cost about a third of the answer. */
export interface DiagnosticExtent {
  readonly hints: 'wanted' | 'unwanted';
}

/** Suggestions are the same in every project, and requested once. */
export function questionsTo(
  { compilerOptions: { declaration, composite } }: ApiProject,
  hints: DiagnosticExtent['hints'],
): readonly FileQuestion[] {
  return [
    'getSyntacticDiagnostics',
    'getSemanticDiagnostics',
    ...(declaration === true || composite === true ? (['getDeclarationDiagnostics'] as const) : []),
    ...(hints === 'wanted' ? (['getSuggestionDiagnostics'] as const) : []),
  ];
}

/**
 * The answers to all questions. In a file that does not parse, the checker resolves for declarations what it otherwise
 * leaves alone, and reports that among its own errors: it is asked about them last, as the compiler does.
 */
export async function askInOrder(
  questions: readonly FileQuestion[],
  ask: (question: FileQuestion) => Promise<readonly ApiDiagnostic[]>,
): Promise<readonly ApiDiagnostic[]> {
  const isLast = (question: FileQuestion) => question === 'getDeclarationDiagnostics';
  const first = await Promise.all(questions.filter((question) => !isLast(question)).map(ask));
  const last = await Promise.all(questions.filter(isLast).map(ask));
  return [...first, ...last].flat();
}

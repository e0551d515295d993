/** The cases of a judged change: one for each file that was changed, is broken or was not judged. */
import type { Finding } from '../../../evaluation/evaluation.ts';
import type { OverlayCheck } from '../../../evaluation/evaluator.ts';
import { LineIndex, type Range } from '../../../text/position.ts';
import type { FileSource } from '../../../workspace/file-source.ts';
import { comparePaths } from '../../../workspace/workspace-path.ts';
import { type AnnotatedPlace, type Annotation, ownRules, type UnmarkedSuite } from './report.ts';

export type Statement = Omit<Annotation, 'fingerprint'>;

/** Turns a path of the workspace into one of the repository. */
export type PathInRepository = (path: string) => string;

export interface SuiteOptions {
  readonly name: string;
  readonly inRepository: PathInRepository;
  /** The judged texts. */
  readonly source?: FileSource;
}

export async function changeSuite(check: OverlayCheck, options: SuiteOptions): Promise<UnmarkedSuite> {
  const { name, inRepository } = options;
  const byFile = new Map<string, Statement[]>(check.changed.map((path) => [inRepository(path), []]));
  for (const statement of await checkStatements(check, options)) {
    const path = statement.place?.path ?? name;
    byFile.set(path, [...(byFile.get(path) ?? []), statement]);
  }
  const cases = [...byFile]
    .map(([path, annotations]) => ({ name: path, annotations }))
    .sort((one, other) => comparePaths(one.name, other.name));
  return { name, verdict: check.verdict.kind, cases };
}

/** Everything that stands against a change: what it introduces, what was not judged, and why it is not proved. */
export async function checkStatements(
  check: OverlayCheck,
  options: Pick<SuiteOptions, 'inRepository' | 'source'>,
): Promise<readonly Statement[]> {
  const { inRepository } = options;
  const introduced = check.evaluations.flatMap((evaluation) => evaluation.introduced);
  const unjudged = check.unjudged.flatMap(({ paths, reason, remedy }) =>
    paths.map((path) => unknownStatement(`Not judged: ${reason}. ${remedy}`, inRepository(path))),
  );
  const doubts = [...new Set(check.evaluations.flatMap((evaluation) => evaluation.doubts))];
  const isExplained = unjudged.length > 0 || doubts.length > 0;
  const reasons = check.verdict.kind === 'unknown' && !isExplained ? check.verdict.why : doubts;
  const first = check.changed[0];
  const anywhere = first === undefined ? undefined : inRepository(first);
  return [
    ...(await Promise.all(introduced.map((finding) => findingStatement(finding, options)))),
    ...unjudged,
    ...reasons.map((reason) => unknownStatement(`Not proved: ${reason}`, anywhere)),
  ];
}

async function findingStatement(
  { path, diagnostic }: Finding,
  { inRepository, source }: Pick<SuiteOptions, 'inRepository' | 'source'>,
): Promise<Statement> {
  const { range, severity, message } = diagnostic;
  const content = await source?.read(path);
  const lines = content?.kind === 'text' ? boundaryLines(content.text, range) : undefined;
  return {
    rule: ruleOf(diagnostic),
    severity: severity === 'error' || severity === 'warning' ? severity : 'note',
    message,
    place: { path: inRepository(path), range, ...(lines && { lines }) },
  };
}

export function ruleOf({ source, code }: Finding['diagnostic']): string {
  return [source ?? 'diagnostic', code].filter((part) => part !== undefined).join('/');
}

/** Reporters of code reviews need a file: a statement about the whole change stands at its first one. */
export function unknownStatement(message: string, path: string | undefined): Statement {
  return wholeFileStatement({ rule: ownRules.unknown.id, severity: 'unknown', message }, path);
}

export function wholeFileStatement(statement: Omit<Statement, 'place'>, path: string | undefined): Statement {
  const start = { line: 0, character: 0 };
  return path === undefined ? statement : { ...statement, place: { path, range: { start, end: start } } };
}

function boundaryLines(text: string, { start, end }: Range): AnnotatedPlace['lines'] {
  const index = new LineIndex(text);
  if (end.line >= index.lineCount) return undefined;
  return { first: index.lineText(start.line), last: index.lineText(end.line) };
}

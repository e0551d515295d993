/** The cases of a judged merge: each side alone, and every two sides together. */

import type { MergeCheck } from '../../../host/check/merge-check.ts';
import type { MergeSide, PairOutcome, SemanticConflict } from '../../../merge/merge-evaluation.ts';
import {
  checkStatements,
  type PathInRepository,
  ruleOf,
  type Statement,
  unknownStatement,
  wholeFileStatement,
} from './change-suite.ts';
import { ownRules, type UnmarkedSuite } from './report.ts';

export async function mergeSuite(check: MergeCheck, inRepository: PathInRepository): Promise<UnmarkedSuite> {
  const { sides, pairs, onto, verdict } = check;
  const alone = await Promise.all(
    sides.map(async ({ name, alone: outcome }) => ({
      name: `${name} alone`,
      annotations: await sideStatements({ name, onto }, outcome, inRepository),
    })),
  );
  const together = pairs.map(({ one, other, outcome }) => {
    const names = [sides[one]?.name ?? '', sides[other]?.name ?? ''] as const;
    const place = firstChanged([sides[one], sides[other]], inRepository);
    return {
      name: names.join(' and '),
      annotations: pairStatements({ names, place, inRepository }, outcome),
    };
  });
  return { name: `merge onto ${onto}`, verdict, cases: [...alone, ...together] };
}

async function sideStatements(
  { name, onto }: { readonly name: string; readonly onto: string },
  outcome: MergeSide['alone'],
  inRepository: PathInRepository,
): Promise<readonly Statement[]> {
  if (outcome.kind === 'judged') {
    const statements = await checkStatements(outcome.check, { inRepository });
    return statements.map((statement) => ({ ...statement, message: `${name}: ${statement.message}` }));
  }
  return outcome.paths.map((path) => textualStatement([name, onto], inRepository(path)));
}

interface PairContext {
  readonly names: readonly [string, string];
  /** Where statements about no file in particular stand. */
  readonly place: string | undefined;
  readonly inRepository: PathInRepository;
}

function pairStatements(context: PairContext, outcome: PairOutcome): readonly Statement[] {
  const { names, place, inRepository } = context;
  switch (outcome.kind) {
    case 'clean':
      return [];
    case 'textual':
      return outcome.paths.map((path) => textualStatement(names, inRepository(path)));
    case 'unknown':
      return outcome.why.map((why) => unknownStatement(`${names.join(' and ')}: ${why}`, place));
    case 'semantic':
      return outcome.conflicts.map((conflict) => semanticStatement(context, conflict));
  }
}

function textualStatement(names: readonly [string, string], path: string): Statement {
  const message = `${names.join(' and ')} cannot be merged: both change the same text.`;
  return wholeFileStatement({ rule: ownRules.textual.id, severity: 'error', message }, path);
}

function semanticStatement(
  { names, inRepository }: PairContext,
  { finding, one, other }: SemanticConflict,
): Statement {
  const { path, diagnostic } = finding;
  const changes = [one, other].flatMap((change, side) =>
    change ? [`${names[side]} changed ${inRepository(change.path)}:${change.line + 1}: ${change.text}`] : [],
  );
  const head = `${names.join(' and ')} together: ${diagnostic.message} (${ruleOf(diagnostic)})`;
  return {
    rule: ownRules.semantic.id,
    severity: 'error',
    message: [head, ...changes].join('\n'),
    place: { path: inRepository(path), range: diagnostic.range },
  };
}

function firstChanged(
  sides: readonly (MergeSide | undefined)[],
  inRepository: PathInRepository,
): string | undefined {
  const paths = sides.flatMap((side) => {
    if (side === undefined) return [];
    return side.alone.kind === 'judged' ? side.alone.check.changed : side.alone.paths;
  });
  const [first] = paths;
  return first === undefined ? undefined : inRepository(first);
}

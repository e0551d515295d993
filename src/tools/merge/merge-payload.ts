/** A judged merge as JSON: the answer of the tools, and what `--json` prints. */
import type { Finding } from '../../evaluation/evaluation.ts';
import type { MergeEvaluation, MergeSide, PairOutcome } from '../../merge/merge-evaluation.ts';
import type { Workspace } from '../../workspace/workspace.ts';

export function mergePayload(
  { sides, pairs, train, verdict }: MergeEvaluation,
  { workspace, onto }: { readonly workspace: Workspace; readonly onto: string },
): Readonly<Record<string, unknown>> {
  const name = (side: number) => sides[side]?.name;
  return {
    verdict,
    workspace_root: workspace.root,
    onto,
    sides: sides.map(({ name: side, alone }) => ({ name: side, ...sidePayload(alone) })),
    pairs: pairs.map(({ one, other, outcome }) => ({
      sides: [name(one), name(other)],
      outcome: outcome.kind,
      ...pairPayload(outcome),
    })),
    train: train.order.map(name),
    left_out: train.leftOut.map(({ side, why }) => ({ name: name(side), why })),
  };
}

function sidePayload(alone: MergeSide['alone']): Readonly<Record<string, unknown>> {
  if (alone.kind === 'conflict') return { verdict: 'broken', textual_conflicts: alone.paths };
  const { verdict, changed, evaluations } = alone.check;
  const errors = evaluations.flatMap(({ introduced }) => introduced.filter(isError));
  return { verdict: verdict.kind, changed_files: changed, errors_introduced: errors.map(findingPayload) };
}

function pairPayload(outcome: PairOutcome): Readonly<Record<string, unknown>> {
  switch (outcome.kind) {
    case 'clean':
      return {};
    case 'textual':
      return { paths: outcome.paths };
    case 'unknown':
      return { why: outcome.why };
    case 'semantic':
      return {
        conflicts: outcome.conflicts.map(({ finding, one, other }) => ({
          ...findingPayload(finding),
          changes: [one, other].map(
            (change) => change && { file: change.path, line: change.line + 1, text: change.text },
          ),
        })),
      };
  }
}

function findingPayload({ path, diagnostic }: Finding): Readonly<Record<string, unknown>> {
  const { range, code, message } = diagnostic;
  return { file: path, line: range.start.line + 1, column: range.start.character + 1, code, message };
}

function isError({ diagnostic }: Finding): boolean {
  return diagnostic.severity === 'error';
}

/** Verdicts as the panel shows them. */
import type { Judgement } from '../../agent/judgement.ts';
import type { OverlayCheck } from '../../evaluation/evaluator.ts';
import type { OfferVerdict } from '../../speculation/engine/offer.ts';
import type { AgentVerdict } from '../protocol/agent.ts';

/** What one edit of the agent does. */
export function judgedVerdict({ verdict, introduced, doubts }: Judgement): AgentVerdict {
  if (verdict === 'clean') return { kind: 'clean', files: 0 };
  if (verdict === 'unknown') return { kind: 'unknown', why: [...doubts] };
  const errors = introduced.filter(({ severity }) => severity === 'error');
  return {
    kind: 'broken',
    errors: errors.length,
    paths: sorted(errors.map(({ path }) => path)),
    isProved: true,
  };
}

/** What a proposal does. */
export function checkedVerdict({ verdict, evaluations }: OverlayCheck): AgentVerdict {
  switch (verdict.kind) {
    case 'clean': {
      const files = new Set(evaluations.flatMap(({ evaluatedFiles }) => evaluatedFiles));
      return { kind: 'clean', files: files.size };
    }
    case 'unknown':
      return { kind: 'unknown', why: [...verdict.why] };
    case 'broken': {
      const isProved = evaluations.every(({ confidence }) => confidence === 'high');
      return { kind: 'broken', errors: verdict.errors, paths: [...verdict.in], isProved };
    }
  }
}

/** What a step that was worked out ahead does; its files are not named. */
export function offeredVerdict({ errorsIntroduced, proof, files }: OfferVerdict): AgentVerdict {
  if (errorsIntroduced > 0) {
    return { kind: 'broken', errors: errorsIntroduced, paths: [], isProved: proof === 'proved' };
  }
  if (proof === 'proved' || files === 0) return { kind: 'clean', files };
  return { kind: 'unknown', why: ['It was not proved that nothing breaks.'] };
}

function sorted(paths: readonly string[]): string[] {
  return [...new Set(paths)].sort();
}

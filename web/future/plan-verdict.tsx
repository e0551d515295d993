/**
 * The verdict of an edit of several files that was planned and not made, such as a rename.
 *
 * Invariant: a verdict is shown for the plan that it is about; while it is not known, it is being checked.
 */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { WireEvaluation } from '../../src/editor/protocol/evaluation.ts';
import type { Page } from '../shell/page.ts';
import { Verdict } from '../ui/verdict.tsx';
import { detailOf, kindOf, wordOf } from './verdict-text.ts';

/** Undefined while it is not known. */
export function usePlanVerdict(page: Page, plan: string | undefined): WireEvaluation | undefined {
  const [known, setKnown] = useState<
    { readonly plan: string; readonly evaluation: WireEvaluation } | undefined
  >(undefined);
  useEffect(() => {
    if (plan === undefined) return undefined;
    const abort = new AbortController();
    page.run(async () => {
      const evaluation = await page.link.request('future.judgePlan', { plan }, abort.signal);
      setKnown({ plan, evaluation });
    });
    return () => abort.abort();
  }, [page, plan]);
  return known !== undefined && known.plan === plan ? known.evaluation : undefined;
}

export function PlanVerdict({ page, plan }: { readonly page: Page; readonly plan: string }): VNode {
  return <PlanVerdictLine evaluation={usePlanVerdict(page, plan)} />;
}

export function PlanVerdictLine({ evaluation }: { readonly evaluation: WireEvaluation | undefined }): VNode {
  if (evaluation === undefined) {
    return (
      <div class="plan-verdict" role="status">
        <Verdict kind="checking" size="small">
          Checking what this would do
        </Verdict>
      </div>
    );
  }
  const detail = detailOf(evaluation, []);
  return (
    <div class="plan-verdict" role="status" data-plan-verdict={evaluation.verdict.kind}>
      <Verdict kind={kindOf(evaluation)} size="small">
        {[wordOf(evaluation, []), detail].filter((word) => word !== '').join(' · ')}
      </Verdict>
    </div>
  );
}

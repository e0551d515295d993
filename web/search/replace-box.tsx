/**
 * A replacement before it is made: how many places, what it would do, and the errors it would introduce.
 *
 * Invariant: nothing is replaced before a question with the verdict was answered; then all files change or none.
 */
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { WireEvaluation } from '../../src/editor/protocol/evaluation.ts';
import { counted } from '../../src/text/counted-noun.ts';
import { openFinding } from '../future/open-finding.ts';
import { PlanVerdictLine, usePlanVerdict } from '../future/plan-verdict.tsx';
import { kindOf, wordOf } from '../future/verdict-text.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import { nameOf } from '../shell/place.ts';
import { Button } from '../ui/button.tsx';
import { Verdict } from '../ui/verdict.tsx';
import type { ReplacePlan, SearchStore } from './search-store.ts';

export function ReplaceBox({ page, store }: { readonly page: Page; readonly store: SearchStore }): VNode {
  const plan = store.plan.value;
  const evaluation = usePlanVerdict(page, plan?.plan);
  const isListed = useSignal(false);
  const errors = (evaluation?.introduced ?? []).filter(({ severity }) => severity === 'error');
  const isEmpty = plan !== undefined && plan.files.length === 0;
  return (
    <div class="replace-box" data-plan={plan === undefined ? 'none' : 'planned'}>
      <ReplaceVerdict plan={plan} evaluation={evaluation} isCurrent={store.isCurrent.value} />
      <div class="row">
        {errors.length > 0 && (
          <Button
            size="small"
            onClick={() => {
              isListed.value = !isListed.peek();
            }}
          >
            {isListed.value ? 'Hide errors' : 'Show errors'}
          </Button>
        )}
        <span class="grow" />
        <Button
          size="small"
          isDisabled={plan === undefined || isEmpty || evaluation === undefined}
          onClick={() =>
            page.run(async () => plan && evaluation && (await replace({ page, store, plan, evaluation })))
          }
        >
          Replace all…
        </Button>
      </div>
      {isListed.value && errors.length > 0 && (
        <ul class="replace-errors" aria-label="Errors that replacing would introduce">
          {errors.slice(0, 50).map((finding) => (
            <li key={`${finding.path} ${finding.range.start.line} ${finding.message}`}>
              <button type="button" class="it" onClick={() => openFinding(page, finding)}>
                <span class="nowrap">{`${nameOf(finding.path)}:${finding.range.start.line + 1}`}</span>
                <span class="cut muted">{finding.message}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ReplaceVerdict(props: {
  readonly plan: ReplacePlan | undefined;
  readonly evaluation: WireEvaluation | undefined;
  readonly isCurrent: boolean;
}): VNode {
  const { plan, evaluation, isCurrent } = props;
  if (plan === undefined) {
    return isCurrent ? (
      <Verdict kind="checking" size="small">
        Working out the replacement
      </Verdict>
    ) : (
      <span class="muted">Search again to replace.</span>
    );
  }
  if (plan.files.length === 0) return <span class="muted">Nothing to replace.</span>;
  if (evaluation === undefined) return <PlanVerdictLine evaluation={undefined} />;
  return (
    <div role="status" data-plan-verdict={evaluation.verdict.kind}>
      <Verdict kind={kindOf(evaluation)} size="small">
        {sentenceOf(evaluation)}
      </Verdict>
    </div>
  );
}

/** `Replacing all breaks 2 files`. */
function sentenceOf(evaluation: WireEvaluation): string {
  const word = wordOf(evaluation, []);
  if (evaluation.verdict.kind === 'clean') return 'Replacing all is clean, proved';
  if (evaluation.verdict.kind === 'broken')
    return `Replacing all ${word.charAt(0).toLowerCase()}${word.slice(1)}`;
  return `Replacing all: ${[word, evaluation.verdict.why[0]].filter(Boolean).join(', ')}`;
}

interface AskedReplacement {
  readonly page: Page;
  readonly store: SearchStore;
  readonly plan: ReplacePlan;
  readonly evaluation: WireEvaluation;
}

async function replace({ page, store, plan, evaluation }: AskedReplacement): Promise<void> {
  const places = `${counted(plan.places, 'place')} in ${counted(plan.files.length, 'file')}`;
  const isBreaking = evaluation.verdict.kind === 'broken';
  const closed = plan.files.filter(({ lane }) => lane === 'closed').length;
  const { answer } = await page.dialogs.ask({
    title: `Replace ${places}?`,
    body: (
      <>
        <ul class="stack plan-list" aria-label="Files that change">
          {plan.files.slice(0, 200).map((file) => (
            <li key={file.path} class="row">
              <span class="mono cut">{file.path}</span>
              <span class="muted sm nowrap">{counted(file.places, 'place')}</span>
            </li>
          ))}
        </ul>
        <Verdict kind={kindOf(evaluation)} size="small">
          {sentenceOf(evaluation)}
        </Verdict>
        <p class="sm muted">
          {`${counted(closed, 'file')} that ${closed === 1 ? 'is' : 'are'} not open will be written; open files stay unsaved. One undo takes all of it back.`}
        </p>
      </>
    ),
    choices: [
      { answer: 'cancel', title: 'Cancel', ...(isBreaking && { look: 'primary' as const }) },
      { answer: 'replace', title: 'Replace all', ...(!isBreaking && { look: 'primary' as const }) },
    ],
    safe: 'cancel',
  });
  if (answer === 'cancel') return;
  await page.link.request('code.apply', { plan: plan.plan }, neverAborts);
  store.run();
  page.toasts.show({
    title: `Replaced ${places}.`,
    icon: 'check',
    action: {
      title: 'Undo',
      run: () =>
        page.run(async () => {
          await page.link.request('code.undo', {}, neverAborts);
          store.run();
        }),
    },
  });
}

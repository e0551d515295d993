/**
 * Renaming a symbol: the new name is asked for, then every file it touches is listed before anything is changed.
 *
 * Invariant: nothing is written before the list was seen; then all files change or none.
 */
import type { VNode } from 'preact';
import type { ResultOf } from '../../src/editor/protocol.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import { Verdict } from '../ui/verdict.tsx';
import { askAbout } from './code-client.ts';
import { caretOf } from './navigation.ts';

type Plan = ResultOf<'code.rename'>;

export function rename(page: Page): void {
  const caret = caretOf(page);
  if (caret === undefined) return;
  page.run(async () => {
    const { document, position } = caret;
    const signal = AbortSignal.timeout(60_000);
    const target = await askAbout(page, document, 'code.renameTarget', { position }, signal);
    if (target?.range === undefined) {
      page.toasts.show({ title: 'Nothing can be renamed here.' });
      return;
    }
    const old = target.name ?? '';
    const { answer, text } = await page.dialogs.ask({
      title: `Rename ${old}`,
      field: { label: 'New name', value: old },
      choices: [
        { answer: 'cancel', title: 'Cancel' },
        { answer: 'preview', title: 'Show files', look: 'primary' },
      ],
      safe: 'cancel',
    });
    if (answer === 'cancel' || text.trim() === '' || text === old) return;
    const plan = await askAbout(page, document, 'code.rename', { position, newName: text.trim() }, signal);
    if (plan === undefined) page.toasts.show({ title: 'The text changed meanwhile. Rename again.' });
    else await confirm(page, plan, `${old} to ${text.trim()}`);
  });
}

async function confirm(page: Page, plan: Plan, what: string): Promise<void> {
  if (plan.files.length === 0) {
    page.toasts.show({ title: 'Nothing to rename.' });
    return;
  }
  const { answer } = await page.dialogs.ask({
    title: `Rename ${what} in ${files(plan.files.length)}?`,
    body: <PlanList page={page} plan={plan} />,
    choices: [
      { answer: 'cancel', title: 'Cancel' },
      { answer: 'rename', title: 'Rename', look: 'primary' },
    ],
    safe: 'cancel',
  });
  if (answer === 'cancel') return;
  const { paths } = await page.link.request('code.apply', { plan: plan.plan }, neverAborts);
  page.toasts.show({
    title: `Renamed in ${files(paths.length)}.`,
    icon: 'check',
    action: { title: 'Undo', run: () => page.run(() => page.link.request('code.undo', {}, neverAborts)) },
  });
}

/** What happens to each file, and the verdict of it where a part can say one. */
function PlanList({ page, plan }: { readonly page: Page; readonly plan: Plan }): VNode {
  const verdict = page.parts.value
    .map((part) => part.planVerdict?.(plan.plan))
    .find((each) => each !== undefined);
  return (
    <>
      <ul class="stack plan-list" aria-label="Files that change">
        {plan.files.map((file) => (
          <li key={file.path} class="row">
            <span class="mono cut">{file.path}</span>
            <span class="muted sm nowrap">
              {file.edits.length === 1 ? '1 place' : `${file.edits.length} places`}
              {laneWords[file.lane]}
            </span>
          </li>
        ))}
      </ul>
      {verdict}
      {!plan.coverage.isComplete && (
        <Verdict kind="unknown" size="small">
          {`Perhaps not all: ${plan.coverage.why ?? 'not every file was looked at.'}`}
        </Verdict>
      )}
    </>
  );
}

const laneWords = { live: ', open here', open: ', unsaved', closed: '' } as const;

function files(count: number): string {
  return count === 1 ? '1 file' : `${count} files`;
}

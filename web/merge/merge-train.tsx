/** The longest sequence that stays clean, and why the others are not in it. */
import type { VNode } from 'preact';
import type { MergeRun } from '../../src/editor/protocol/merge.ts';
import type { Page } from '../shell/page.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Verdict } from '../ui/verdict.tsx';
import { letterOf, sideTitle, trainCommands } from './merge-text.ts';

export function MergeTrain({ page, run }: { readonly page: Page; readonly run: MergeRun }): VNode {
  const { train, sides, onto } = run;
  const copy = (): void =>
    page.run(async () => {
      await navigator.clipboard.writeText(trainCommands(run));
      page.toasts.show({ title: 'Copied the git commands of the train.', icon: 'copy' });
    });
  return (
    <section
      class="merge-section"
      aria-label="Longest clean train"
      data-train={train?.order.length ?? 'none'}
    >
      <div class="row">
        <h2>Longest clean train</h2>
        <span class="muted sm grow cut">{trainWords(run)}</span>
        {train !== undefined && train.order.length > 0 && (
          <Button size="small" onClick={copy}>
            <Icon name="copy" size="small" />
            Copy commands
          </Button>
        )}
      </div>
      {train !== undefined && train.order.length > 0 && (
        <ol class="train">
          <li class="stop base">
            <span class="cut medium sm">{onto.name}</span>
            <span class="sm muted">start</span>
          </li>
          {train.order.map((index) => (
            <li class="stop" key={index} title={sides[index]?.name}>
              <span class="row stop-name">
                <span class="lt">{letterOf(index)}</span>
                <span class="cut medium sm">{sideTitle(sides[index])}</span>
              </span>
              <Verdict kind="clean" size="small">
                Clean
              </Verdict>
            </li>
          ))}
        </ol>
      )}
      {train?.leftOut.map(({ side, why }) => (
        <p class="row sm muted left-out" key={side}>
          <span class="lt">{letterOf(side)}</span>
          <span>{`left out: ${why}`}</span>
        </p>
      ))}
    </section>
  );
}

function trainWords({ train, sides, state }: MergeRun): string {
  if (train === undefined)
    return state.kind === 'checking' ? 'Known when every pair is checked.' : 'Not known.';
  if (train.order.length === 0) return 'None of them is proved clean.';
  return `${train.order.length} of ${sides.length}, in this order. Each step was checked as a whole.`;
}

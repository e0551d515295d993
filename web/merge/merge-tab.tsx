/** Merges: what is chosen, the longest clean train, every pair, and the one that is looked at. */
import type { VNode } from 'preact';
import type { MergeRun } from '../../src/editor/protocol/merge.ts';
import type { Page } from '../shell/page.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Verdict } from '../ui/verdict.tsx';
import { MergeChooser } from './merge-chooser.tsx';
import { MergeDetail } from './merge-detail.tsx';
import { MergeMatrix } from './merge-matrix.tsx';
import type { MergeStore } from './merge-store.ts';
import { runWords } from './merge-text.ts';
import { MergeTrain } from './merge-train.tsx';

interface MergeProps {
  readonly page: Page;
  readonly store: MergeStore;
}

export function MergeTab({ page, store }: MergeProps): VNode {
  const run = store.run.value;
  return (
    <section class="merges" aria-label="Merges">
      <MergeHead store={store} run={run} />
      <div class="merge-body">
        <div class="merge-main">
          {(store.isChoosing.value || run === undefined) && <MergeChooser page={page} store={store} />}
          {run !== undefined && <RunView page={page} store={store} run={run} />}
        </div>
        {run !== undefined && store.shownCell.value !== undefined && (
          <MergeDetail page={page} store={store} run={run} cell={store.shownCell.value} />
        )}
      </div>
    </section>
  );
}

function MergeHead({
  store,
  run,
}: {
  readonly store: MergeStore;
  readonly run: MergeRun | undefined;
}): VNode {
  return (
    <header class="merge-head">
      <h1>Merges</h1>
      <span class="sm muted cut grow" role="status" data-merge={run?.state.kind ?? 'none'}>
        {run === undefined ? '' : runWords(run)}
      </span>
      {run !== undefined && (
        <Button
          size="small"
          look="quiet"
          onClick={() => {
            store.isChoosing.value = !store.isChoosing.peek();
          }}
        >
          <Icon name="plus" size="small" />
          Add branch
        </Button>
      )}
      {run?.state.kind === 'checking' ? (
        <Button size="small" onClick={() => store.cancel()}>
          Cancel
        </Button>
      ) : (
        run !== undefined && (
          <Button size="small" look="quiet" onClick={() => store.start()}>
            Check again
          </Button>
        )
      )}
    </header>
  );
}

function RunView({ page, store, run }: MergeProps & { readonly run: MergeRun }): VNode {
  return (
    <>
      {run.state.kind === 'failed' && (
        <div class="note caution" role="alert">
          <Icon name="warning" />
          <span class="grow">{`${run.state.message} ${run.state.remedy}`}</span>
        </div>
      )}
      <MergeTrain page={page} run={run} />
      <MergeMatrix store={store} run={run} />
      <div class="merge-key" role="group" aria-label="Key">
        <Verdict kind="clean" size="small">
          Clean
        </Verdict>
        <Verdict kind="conflict" size="small">
          Textual conflict: files git cannot merge
        </Verdict>
        <Verdict kind="break" size="small">
          Semantic conflict: errors in the result
        </Verdict>
        <Verdict kind="unknown" size="small">
          Unknown: not proved
        </Verdict>
      </div>
    </>
  );
}

/** The facts of a what-if in lines that are the same for every one, and what can be done with it. */
import type { ComponentChildren, VNode } from 'preact';
import type { WireEvaluation, WireFinding } from '../../src/editor/protocol/evaluation.ts';
import type { ResultOf } from '../../src/editor/protocol.ts';
import { counted } from '../../src/text/counted-noun.ts';
import { openFinding } from '../future/open-finding.ts';
import { kindOf, proofOf, wordOf } from '../future/verdict-text.ts';
import type { Page } from '../shell/page.ts';
import { nameOf } from '../shell/place.ts';
import { Button } from '../ui/button.tsx';
import { Proof, Verdict } from '../ui/verdict.tsx';
import type { WhatIfStore } from './what-if-store.ts';
import { ageWord, sizeWord, statusWord } from './what-if-text.ts';

export type ShownWhatIf = ResultOf<'whatif.show'>;

export interface FactsProps {
  readonly page: Page;
  readonly shown: ShownWhatIf;
  /** Undefined while it is being measured. */
  readonly evaluation: WireEvaluation | undefined;
}

export const factLabels = [
  'Verdict',
  'Proof',
  'Introduced',
  'Resolved',
  'Commands',
  'Size',
  'Made by',
] as const;

/** One line each, in the order of the labels. */
export function facts({
  page,
  shown: { row, commands },
  evaluation,
}: FactsProps): readonly ComponentChildren[] {
  const status = evaluation ? { kind: kindOf(evaluation), word: wordOf(evaluation) } : statusWord(row);
  return [
    <Verdict key="verdict" kind={status.kind}>
      {status.word}
    </Verdict>,
    evaluation ? (
      <Proof key="proof" isProved={evaluation.isProved}>
        {proofOf(evaluation)}
      </Proof>
    ) : (
      <span class="muted">Not measured yet</span>
    ),
    <Findings
      key="introduced"
      page={page}
      findings={evaluation?.introduced ?? []}
      total={evaluation?.counts.introduced ?? 0}
      none="No errors"
    />,
    <Findings
      key="resolved"
      page={page}
      findings={evaluation?.resolved ?? []}
      total={evaluation?.counts.resolved ?? 0}
      none="None"
    />,
    <Commands key="commands" commands={commands} />,
    <span key="size">{sizeWord(row)}</span>,
    <span key="by">{`${row.author}, ${ageWord(row.at)}${ageWord(row.at) === 'now' ? '' : ' ago'}`}</span>,
  ];
}

function Commands({ commands }: Pick<ShownWhatIf, 'commands'>): VNode {
  if (commands.length === 0) return <span class="muted">None</span>;
  return (
    <span class="commands">
      {commands.map((run) => (
        <span key={run.command} class="row">
          <span class="mono">{run.command}</span>
          <Verdict kind={run.passed ? 'clean' : 'break'} size="small">
            {outcomeWord(run)}
          </Verdict>
        </span>
      ))}
    </span>
  );
}

/** `passed, 42 tests, 3.1 s`. */
function outcomeWord({ ran, passed, testsRun, durationMs }: ShownWhatIf['commands'][number]): string {
  const outcome = passed ? 'passed' : 'failed';
  const tests = testsRun === undefined ? [] : [counted(testsRun, 'test')];
  const took = durationMs === undefined ? [] : [`${(durationMs / 1000).toFixed(1)} s`];
  return [ran ? outcome : 'not run', ...tests, ...took].join(', ');
}

function Findings(props: {
  readonly page: Page;
  readonly findings: readonly WireFinding[];
  readonly total: number;
  readonly none: string;
}): VNode {
  const { page, findings, total, none } = props;
  const [first] = findings;
  if (!first) return <span class="muted">{none}</span>;
  const { path, range, message } = first;
  return (
    <span class="row cut">
      <span>{counted(total, 'problem')}</span>
      <button type="button" class="link mono" title={message} onClick={() => openFinding(page, first)}>
        {`${nameOf(path)} ${range.start.line + 1}:${range.start.character + 1}`}
      </button>
      <span class="muted cut">{message}</span>
    </span>
  );
}

/** Commit, take, discard; or what follows when the base has changed. */
export function Actions({
  store,
  shown: { row },
  letter = '',
}: {
  readonly store: WhatIfStore;
  readonly shown: ShownWhatIf;
  readonly letter?: string;
}): VNode | null {
  if (row.kind === 'unsaved') return <span class="muted sm">Save the files to write it.</span>;
  if (row.group === 'committed') {
    return row.canUndo ? (
      <Button size="small" onClick={() => store.undo(row)}>
        Undo
      </Button>
    ) : null;
  }
  const isBroken = row.status.kind === 'checked' && row.status.verdict.kind === 'broken';
  const name = `Commit${letter === '' ? '' : ` ${letter}`}${isBroken ? '…' : ''}`;
  return (
    <>
      {row.status.kind === 'base-changed' ? (
        <Button size="small" look="primary" onClick={() => store.rebase(row)}>
          Check again on the new text
        </Button>
      ) : (
        <Button size="small" look={isBroken ? 'plain' : 'primary'} onClick={() => store.commit(row)}>
          {name}
        </Button>
      )}
      <Button size="small" onClick={() => store.take(row)}>
        Take into buffers
      </Button>
      <Button size="small" look="quiet" onClick={() => store.discard([row])}>
        Discard
      </Button>
    </>
  );
}

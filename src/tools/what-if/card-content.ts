/**
 * The card of a tool's result, for clients that show cards.
 *
 * Invariant: made from the same evaluation and the same overlay as the text of the answer.
 */
import { type Evaluation, verdictOf } from '../../evaluation/evaluation.ts';
import type { FileChange } from '../../overlay/overlay.ts';
import type { CommandRecord } from '../../session/session-details.ts';
import { counted } from '../../text/counted-noun.ts';
import { compareLines } from '../../text/diff.ts';
import { makeHunks } from '../../text/hunk.ts';
import type { WhatIf, WhatIfChange } from '../tool-result.ts';
import { filesTitle } from './files-title.ts';
import { rankReason } from './rank-reason.ts';
import type { CardChange, CardFile, CardLine, WhatIfCard } from './what-if-card.ts';

const [shownFindings, shownFiles, shownLines] = [50, 20, 200];

export async function cardOf(whatIf: WhatIf): Promise<WhatIfCard> {
  switch (whatIf.kind) {
    case 'change':
      return { kind: 'change', change: await changeOf(whatIf) };
    case 'ranked': {
      const ways = whatIf.ways.map(async (way) => ({
        rank: way.rank,
        reason: rankReason({
          verdict: verdictOf(way.evaluation),
          resolved: way.evaluation.resolved.length,
          commands: way.session?.history.details.commands ?? [],
        }),
        change: await changeOf(way),
      }));
      return { kind: 'ranked', ways: await Promise.all(ways) };
    }
    case 'committed': {
      const { title, paths } = whatIf;
      return { kind: 'committed', title: title ?? filesTitle(paths), paths: [...paths] };
    }
  }
}

async function changeOf(what: WhatIfChange): Promise<CardChange> {
  const { workspace, overlay, evaluation, language, session } = what;
  const changes = await overlay.changes('stack');
  const details = session?.history.details;
  const { introduced, resolved, evaluatedFiles, scope, confidence, baselineConfidence, doubts } = evaluation;
  const verdict = verdictOf(evaluation);
  return {
    title: details?.title ?? filesTitle(changes.map(({ path }) => path)),
    ...(session && { sessionId: session.id }),
    workspaceRoot: workspace.root,
    language,
    verdict: verdict.kind,
    brokenFiles: verdict.kind === 'broken' ? verdict.in.length : 0,
    introducedErrors: verdict.kind === 'broken' ? verdict.errors : 0,
    resolved: resolved.length,
    isProved: confidence === 'high' && baselineConfidence === 'high',
    doubt: doubts[0] ?? '',
    scope,
    checkedFiles: evaluatedFiles.length,
    findings: findingsOf(evaluation),
    moreFindings: Math.max(0, introduced.length - shownFindings),
    commands: (details?.commands ?? []).map(commandOf),
    files: changes.slice(0, shownFiles).map(fileOf),
  };
}

/** Errors first. */
function findingsOf({ introduced }: Evaluation): CardChange['findings'] {
  const ordered = [
    ...introduced.filter(({ diagnostic }) => diagnostic.severity === 'error'),
    ...introduced.filter(({ diagnostic }) => diagnostic.severity !== 'error'),
  ];
  return ordered.slice(0, shownFindings).map(({ path, diagnostic: { range, message, source, code } }) => ({
    path,
    line: range.start.line + 1,
    column: range.start.character + 1,
    message,
    code: [source, code].filter((part) => part !== undefined).join(' '),
  }));
}

function commandOf({
  command,
  ran,
  passed,
  testsRun,
  durationMs,
}: CommandRecord): CardChange['commands'][number] {
  const tests = testsRun === undefined ? [] : [counted(testsRun, 'test')];
  const took = durationMs === undefined ? [] : [`${(durationMs / 1000).toFixed(1)} s`];
  const outcome = ran ? (passed ? 'passed' : 'failed') : 'not run';
  return { command, passed, detail: [outcome, ...tests, ...took].join(', ') };
}

function fileOf({ path, kind, before, after }: FileChange): CardFile {
  const [old, now] = [before, after].map((content) => (content?.kind === 'text' ? content.text : ''));
  const hunks = compareLines(old ?? '', now ?? '');
  const lines = linesOf(old ?? '', now ?? '');
  return {
    path,
    kind,
    added: hunks.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0),
    removed: hunks.reduce((sum, { oldStart, oldEnd }) => sum + oldEnd - oldStart, 0),
    lines: lines.slice(0, shownLines),
    more: Math.max(0, lines.length - shownLines),
  };
}

function linesOf(before: string, after: string): readonly CardLine[] {
  return makeHunks(before, after, 1).flatMap(({ oldStart, newStart, lines }, index) => {
    let [old, now] = [oldStart, newStart];
    const shown = lines.map(({ kind, text }): CardLine => {
      const number = kind === 'removed' ? old : now;
      if (kind !== 'added') old += 1;
      if (kind !== 'removed') now += 1;
      return { kind, number, text: text.replace(/\r?\n$/, '') };
    });
    return index === 0 ? shown : [{ kind: 'gap', number: 0, text: '' }, ...shown];
  });
}

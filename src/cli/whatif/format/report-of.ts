/** Makes the one report value out of whatever was judged. */
import { relative, sep } from 'node:path';
import type { Verdict } from '../../../evaluation/evaluation.ts';
import type { RankedPatch } from '../../../host/check/alternatives.ts';
import { repositoryTop } from '../../../workspace/enclosing-directories.ts';
import { verdictSentence } from '../human-report.ts';
import { trainSentence } from '../merge-report.ts';
import { changeSuite, type PathInRepository, unknownStatement } from './change-suite.ts';
import { mergeSuite } from './merge-suite.ts';
import { type Report, type UnmarkedSuite, type WhatifOutcome, withFingerprints } from './report.ts';

export async function reportOf(outcome: WhatifOutcome, env: NodeJS.ProcessEnv): Promise<Report> {
  switch (outcome.kind) {
    case 'change': {
      const { check } = outcome;
      const inRepository = pathInRepository(check.workspace.root, env);
      const suite = await changeSuite(check, { name: check.judged, inRepository, source: check.overlay });
      const headline = verdictSentence(check);
      return { outcome, verdict: check.verdict.kind, headline, suites: withFingerprints([suite]) };
    }
    case 'merge': {
      const { check } = outcome;
      const suite = await mergeSuite(check, pathInRepository(check.workspace.root, env));
      const headline = trainSentence(check);
      return { outcome, verdict: check.verdict, headline, suites: withFingerprints([suite]) };
    }
    case 'ranking': {
      const suites = await Promise.all(outcome.ranked.map((patch) => rankedSuite(patch, env)));
      const verdict = worstOf(suites.map((suite) => suite.verdict));
      return { outcome, verdict, headline: rankingSentence(suites), suites: withFingerprints(suites) };
    }
  }
}

async function rankedSuite({ name, outcome }: RankedPatch, env: NodeJS.ProcessEnv): Promise<UnmarkedSuite> {
  if (outcome.kind === 'judged') {
    const { check } = outcome;
    const inRepository = pathInRepository(check.workspace.root, env);
    return changeSuite(check, { name, inRepository, source: check.overlay });
  }
  const { message, remedy } = outcome.failure;
  const annotations = [
    unknownStatement(`Not judged: ${message}. ${remedy}`, name === '-' ? undefined : name),
  ];
  return { name, verdict: 'unknown', cases: [{ name, annotations }] };
}

const worstFirst: readonly Verdict['kind'][] = ['broken', 'unknown', 'clean'];

function worstOf(verdicts: readonly Verdict['kind'][]): Verdict['kind'] {
  return worstFirst.find((verdict) => verdicts.includes(verdict)) ?? 'unknown';
}

function rankingSentence(suites: readonly UnmarkedSuite[]): string {
  const counts = (['clean', 'unknown', 'broken'] as const).flatMap((kind) => {
    const count = suites.filter(({ verdict }) => verdict === kind).length;
    return count > 0 ? [`${count} ${kind}`] : [];
  });
  return `${suites.length} patches judged: ${counts.join(', ')}`;
}

/** Reviews and code scanning name files from the top of the repository, wherever the workspace begins. */
function pathInRepository(root: string, env: NodeJS.ProcessEnv): PathInRepository {
  const way = relative(repositoryTop(root, env) ?? root, root);
  const prefix = way === '' ? '' : `${way.split(sep).join('/')}/`;
  return (path) => `${prefix}${path}`;
}

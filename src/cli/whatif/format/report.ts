/**
 * What `forerun whatif` found out, in the form that every format renders.
 *
 * Terms. An *annotation* is one statement about a place in a file. A *case* is one thing that was judged: a file of a
 * change, a branch alone, two branches merged. A *suite* has the cases of one change or of one merge.
 *
 * Invariants: whatever was not proved is an annotation of severity `unknown`, so that no format can show it as clean.
 * Paths are relative to the top of the repository. Fingerprints are unique in a report and do not depend on line
 * numbers.
 */
import type { Verdict } from '../../../evaluation/evaluation.ts';
import type { RankedPatch } from '../../../host/check/alternatives.ts';
import type { MergeCheck } from '../../../host/check/merge-check.ts';
import type { PatchCheck } from '../../../host/check/patch-check.ts';
import { sha256 } from '../../../storage/hash.ts';
import type { Range } from '../../../text/position.ts';

export interface Report {
  readonly outcome: WhatifOutcome;
  readonly verdict: Verdict['kind'];
  /** The verdict in a sentence without its word: `this patch introduces no errors`. */
  readonly headline: string;
  readonly suites: readonly ReportSuite[];
}

export type WhatifOutcome =
  | { readonly kind: 'change'; readonly check: PatchCheck }
  | { readonly kind: 'ranking'; readonly ranked: readonly RankedPatch[] }
  | { readonly kind: 'merge'; readonly check: MergeCheck };

export interface ReportSuite {
  readonly name: string;
  readonly verdict: Verdict['kind'];
  readonly cases: readonly ReportCase[];
}

export interface ReportCase {
  readonly name: string;
  readonly annotations: readonly Annotation[];
}

export interface Annotation {
  /** `<source>/<code>` of the server, or one of `ownRules`. */
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'note' | 'unknown';
  readonly message: string;
  /** Absent if it is about no file in particular and no file was changed. */
  readonly place?: AnnotatedPlace;
  readonly fingerprint: string;
}

export interface AnnotatedPlace {
  readonly path: string;
  readonly range: Range;
  /** The texts of its first and last line, where the judged text is at hand. */
  readonly lines?: { readonly first: string; readonly last: string };
}

/** The rules that are ours; all others are those of the servers. */
export const ownRules = {
  unknown: {
    id: 'forerun/unknown',
    about: 'The absence of errors was not proved.',
  },
  textual: {
    id: 'forerun/textual-conflict',
    about: 'The texts of two changes cannot be merged.',
  },
  semantic: {
    id: 'forerun/semantic-conflict',
    about: 'The texts of two changes merge, and the result has an error that neither change has alone.',
  },
} as const;

export function annotationsOf({ suites }: Report): readonly Annotation[] {
  return suites.flatMap(({ cases }) => cases.flatMap(({ annotations }) => annotations));
}

type UnmarkedCase = Omit<ReportCase, 'annotations'> & {
  readonly annotations: readonly Omit<Annotation, 'fingerprint'>[];
};
export type UnmarkedSuite = Omit<ReportSuite, 'cases'> & { readonly cases: readonly UnmarkedCase[] };

/** Equal statements are told apart by their order. */
export function withFingerprints(suites: readonly UnmarkedSuite[]): readonly ReportSuite[] {
  const seen = new Map<string, number>();
  const mark = (scope: readonly string[], annotation: Omit<Annotation, 'fingerprint'>): Annotation => {
    const { rule, message, place } = annotation;
    const identity = [...scope, rule, message, place?.path ?? '', place?.lines?.first.trim() ?? ''].join(
      '\0',
    );
    const count = seen.get(identity) ?? 0;
    seen.set(identity, count + 1);
    return { ...annotation, fingerprint: sha256(`${identity}\0${count}`) };
  };
  // The only suite of a report may be named by what was judged (`staged`, `patch`), which does not tell errors apart.
  const scoped = suites.length > 1;
  return suites.map((suite) => ({
    ...suite,
    cases: suite.cases.map((each) => ({
      ...each,
      annotations: each.annotations.map((annotation) =>
        mark(scoped ? [suite.name, each.name] : [each.name], annotation),
      ),
    })),
  }));
}

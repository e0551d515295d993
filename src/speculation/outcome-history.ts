/**
 * The recorded outcomes of one workspace.
 *
 * Invariants: outcomes of other workspaces do not count; those without a workspace count little; only the most recent
 * decisions count, and none dated in the future, since it would never age; records before the user resumed are
 * ignored.
 */
import type { OutcomeRecord } from '../storage/outcome-log.ts';
import type { Evidence } from './acceptance-belief.ts';
import type { SuggestionClass } from './suggestion-class.ts';

/** More would outweigh a change of habit for days. */
const mostDecisions = 20;

/** The weight of an outcome without a workspace. */
const strangerWeight = 0.2;

interface Weighted {
  readonly record: OutcomeRecord;
  readonly weight: number;
}

export class OutcomeHistory {
  readonly #own: readonly OutcomeRecord[];
  readonly #unnamed: readonly OutcomeRecord[];

  constructor(records: readonly OutcomeRecord[], workspace: string | undefined, now: number) {
    const resumed = records.findLastIndex(
      (record) => record.outcome === 'resumed' && record.workspace === workspace,
    );
    const known = records.slice(resumed + 1).filter((record) => timeOf(record) <= now);
    this.#own = known.filter((record) => record.workspace === workspace);
    this.#unnamed = workspace === undefined ? [] : known.filter((record) => record.workspace === undefined);
  }

  /** The user's decisions here, latest last. */
  get decisions(): readonly Evidence[] {
    return evidenceOf(latest(this.#own, isDecision, 1));
  }

  /** The same with decisions from elsewhere; with a class, only those of that class. */
  evidence(kind?: SuggestionClass): readonly Evidence[] {
    const isMeant = (record: OutcomeRecord): boolean =>
      isDecision(record) && (kind === undefined || record.class === kind);
    return evidenceOf(this.#weighted(isMeant));
  }

  /** Suggestions that were run, with any outcome. */
  get runs(): readonly Weighted[] {
    return this.#weighted(isRun);
  }

  /** The time since which nothing was run here; undefined without any record. */
  get idleSince(): number | undefined {
    const last = this.#own.filter(isRun).map(timeOf);
    if (last.length > 0) return Math.max(...last);
    const first = this.#own[0];
    return first && timeOf(first);
  }

  /** Whether a pause for this reason was recorded since a time. */
  wasSilent(because: string, since: number): boolean {
    return this.#own.some(
      (record) => record.outcome === 'silent' && record.reason === because && timeOf(record) >= since,
    );
  }

  #weighted(isMeant: (record: OutcomeRecord) => boolean): readonly Weighted[] {
    return [...latest(this.#unnamed, isMeant, strangerWeight), ...latest(this.#own, isMeant, 1)];
  }
}

export function timeOf({ at }: OutcomeRecord): number {
  return Date.parse(at);
}

function latest(
  records: readonly OutcomeRecord[],
  isMeant: (record: OutcomeRecord) => boolean,
  weight: number,
): readonly Weighted[] {
  return records
    .filter(isMeant)
    .sort((one, other) => timeOf(one) - timeOf(other))
    .slice(-mostDecisions)
    .map((record) => ({ record, weight }));
}

function evidenceOf(weighted: readonly Weighted[]): readonly Evidence[] {
  return weighted.flatMap(({ record, weight }) => {
    const kind = decisionOf(record);
    return kind ? [{ at: timeOf(record), kind, weight }] : [];
  });
}

function isDecision(record: OutcomeRecord): boolean {
  return decisionOf(record) !== undefined;
}

/** A user's decision: only about a suggestion that was shown, and only by the user's own action. */
function decisionOf({ outcome, reason, ahead, class: kind }: OutcomeRecord): Evidence['kind'] | undefined {
  if (outcome === 'accepted' || outcome === 'taken') return 'accepted';
  const isRejected = outcome === 'aborted' && (reason === 'typed' || reason === 'dismissed');
  return isRejected && ahead === 0 && kind !== undefined ? 'rejected' : undefined;
}

function isRun({ tool_uses, worked_ms }: OutcomeRecord): boolean {
  return tool_uses > 0 || worked_ms > 0;
}

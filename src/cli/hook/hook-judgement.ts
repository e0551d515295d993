/**
 * What the hook does with an event, by mode.
 *
 *             before an edit             after it      at the end of a turn
 *     warn    judge, tell the agent      judge, tell   nothing
 *     deny    judge, stop a broken one   judge, tell   nothing
 *     turn    keep the text              nothing       judge all edits of the turn
 *
 * If an agent reads notes only after an edit, its edits are judged then.
 *
 * Invariant: only an observed error stops an edit or sends the agent back. In mode `turn` an edit is judged together with
 * all others of the turn, so a helper may be used before it is defined.
 */
import {
  type AgentCheck,
  checkProposal,
  checkSince,
  type JudgingLimits,
} from '../../host/check/proposal-check.ts';
import type { Forerun } from '../../host/forerun.ts';
import { untrustedNote } from '../../servers/server-detection.ts';
import type { FormerTextStore, RecordedText } from '../../storage/former-text-store.ts';
import { reversedText } from './former-text.ts';
import type { EditedFile, HookDialect, HookEvent, HookOutcome } from './hook-event.ts';
import { brokenNote, errorsIn, type JudgedMoment, passingNote } from './hook-note.ts';

export type HookMode = 'warn' | 'deny' | 'turn';

export interface JudgementOptions extends JudgingLimits {
  readonly mode: HookMode;
  /** Whether a proved edit is approved without the agent asking its user. */
  readonly proved: 'approve' | 'leave';
  /** Undefined if the event names no session. */
  readonly record: FormerTextStore | undefined;
}

type EditEvent = HookEvent & { readonly kind: 'edit' };
type StopEvent = HookEvent & { readonly kind: 'stop' };

export async function judgeEvent(
  forerun: () => Forerun,
  { event, dialect }: { readonly event: EditEvent | StopEvent; readonly dialect: HookDialect },
  options: JudgementOptions,
  signal: AbortSignal,
): Promise<HookOutcome> {
  const { mode, record } = options;
  if (event.kind === 'stop') {
    return mode === 'turn' ? judgeTurn(forerun, event, options, signal) : { kind: 'silent' };
  }
  if (mode === 'turn') {
    if (event.when === 'after') return { kind: 'silent' };
    if (!record) return unjudged('the event names no session, so its turn is not known');
    for (const file of event.files) await record.keepFirst(identityOf(file));
    return { kind: 'silent' };
  }
  if (event.when === 'after') return judgeMade(forerun, event, options, signal);
  if (mode === 'warn' && dialect.warnsAt === 'after') {
    for (const file of event.files) await record?.keepLatest(identityOf(file));
    return { kind: 'silent' };
  }
  return judgePlanned(forerun, event, options, signal);
}

function identityOf({ filePath, given }: EditedFile): Omit<RecordedText, 'text'> {
  return { filePath, given };
}

async function judgePlanned(
  forerun: () => Forerun,
  event: EditEvent,
  options: JudgementOptions,
  signal: AbortSignal,
): Promise<HookOutcome> {
  const edits = event.files.flatMap(({ filePath, change }) => (change ? [{ filePath, change }] : []));
  if (edits.length === 0) return unjudged('the event does not say what changes');
  const check = await checkProposal(forerun(), { ...options, edits }, signal);
  const moment = options.mode === 'deny' ? 'denied' : 'planned';
  return outcomeOf([check], { event, moment, options });
}

/** The edit is on disk; the text before it is stored, sent by the agent, or found by undoing the edit. */
async function judgeMade(
  forerun: () => Forerun,
  event: EditEvent,
  options: JudgementOptions,
  signal: AbortSignal,
): Promise<HookOutcome> {
  const kept = await options.record?.list();
  const former = await Promise.all(
    event.files.map(async ({ filePath, change, former: stated }) => {
      const known = kept?.find((each) => each.filePath === filePath) ?? stated;
      return { filePath, known: known ?? (await reversedText(filePath, change)) };
    }),
  );
  const before = former.flatMap(({ filePath, known }) => (known ? [{ filePath, text: known.text }] : []));
  if (before.length < former.length) return unjudged('the text before the edit is not known');
  const checks = await checkSince(forerun(), { ...options, before }, signal);
  return outcomeOf(checks, { event, moment: 'made', options });
}

async function judgeTurn(
  forerun: () => Forerun,
  event: StopEvent,
  options: JudgementOptions,
  signal: AbortSignal,
): Promise<HookOutcome> {
  const { record } = options;
  const before = (await record?.list()) ?? [];
  if (before.length === 0) return { kind: 'silent' };
  const checks = await checkSince(forerun(), { ...options, before }, signal);
  const files = before.map(({ filePath, given }) => ({ filePath, given }));
  const outcome = outcomeOf(checks, { event: { ...event, files }, moment: 'turn', options });
  const goesOn = outcome.kind === 'judged' && outcome.decision === 'deny' && !event.isRetry;
  // An agent that is sent back is still in its turn: its next end is compared with the same beginning.
  if (!goesOn) await record?.clear();
  return outcome;
}

interface Judged {
  readonly event: { readonly files: readonly EditedFile[]; readonly directory: string };
  readonly moment: JudgedMoment;
  readonly options: JudgementOptions;
}

function outcomeOf(checks: readonly AgentCheck[], { event, moment, options }: Judged): HookOutcome {
  const kinds = checks.map(({ verdict }) => verdict.kind);
  const verdict = (['broken', 'unknown', 'clean'] as const).find((kind) => kinds.includes(kind));
  const evaluations = checks.flatMap((check) => check.evaluations);
  const unread = checks.flatMap(({ unjudged: files }) => files);
  // Nothing that a server reads has changed.
  if (verdict === undefined || (verdict === 'clean' && evaluations.length === 0)) return { kind: 'silent' };
  if (evaluations.length === 0) {
    const [first] = unread;
    return unjudged(first ? `${first.paths.join(', ')}: ${first.reason}` : 'no server was asked');
  }
  const spelling = { directory: event.directory, given: event.files.map(({ given }) => given) };
  const errors = errorsIn(checks, spelling);
  const isBroken = verdict === 'broken';
  const stops = isBroken && (moment === 'denied' || moment === 'turn');
  const decision = stops ? 'deny' : verdict === 'clean' && options.proved === 'approve' ? 'approve' : 'none';
  return {
    kind: 'judged',
    verdict,
    note: isBroken ? brokenNote(errors, moment) : passingNote(checks, verdict),
    decision,
    errors,
    durationMs: Math.max(...evaluations.map((evaluation) => evaluation.durationMs)),
    ...untrustedIn(checks),
  };
}

/** An agent works in one workspace nearly always; the first that withheld something is named. */
function untrustedIn(checks: readonly AgentCheck[]): ReturnType<typeof untrustedNote> {
  const withholding = checks.find(({ withheld }) => withheld.length > 0);
  return withholding ? untrustedNote(withholding.workspace.root, withholding.withheld) : {};
}

function unjudged(reason: string): HookOutcome {
  return { kind: 'unjudged', reason, audience: 'log' };
}

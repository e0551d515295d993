/**
 * Why suggestions are paused, and when that ends.
 *
 * Invariant: a learned pause ends within a day, whatever the history; then one suggestion is tried.
 */
import type { Evidence } from './acceptance-belief.ts';
import { believedAcceptance } from './acceptance-belief.ts';

export type Pause =
  | {
      readonly because: 'seldom_accepted';
      readonly accepted: number;
      readonly shown: number;
      /** Milliseconds since the epoch. */
      readonly until: number;
    }
  /** The budget of this process or day is used up. */
  | { readonly because: 'session_budget' | 'daily_budget'; readonly limit: number };

/** Suggestions accepted less often than this disturb more than they help, even if they are free. */
export const leastAcceptance = 0.2;

const hourMs = 60 * 60 * 1000;
const shortestPauseMs = hourMs;
const longestPauseMs = 24 * hourMs;

/** This many rejections in a row, without earlier records, lead to the first pause. */
const patience = 6;

/**
 * The pause that follows from recent decisions. It starts with the last of them; each suggestion that is tried after
 * a pause and rejected doubles the next pause.
 */
export function learnedPause(
  decisions: readonly Evidence[],
  evidence: readonly Evidence[],
  now: number,
): (Pause & { readonly because: 'seldom_accepted' }) | undefined {
  const last = decisions.at(-1);
  if (!last || believedAcceptance(evidence, now) >= leastAcceptance) return undefined;
  const streak = decisions.length - 1 - decisions.findLastIndex(({ kind }) => kind === 'accepted');
  const length = Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.max(0, streak - patience));
  const until = last.at + length;
  if (now >= until) return undefined;
  const accepted = decisions.filter(({ kind }) => kind === 'accepted').length;
  return { because: 'seldom_accepted', accepted, shown: decisions.length, until };
}

/** The reason and how to continue, in one line. */
export function pauseText(pause: Pause, now: number): string {
  switch (pause.because) {
    case 'seldom_accepted': {
      const { accepted, shown, until } = pause;
      const share = accepted === 0 ? 'none' : String(accepted);
      return `Working ahead is paused in this workspace until ${moment(until, now)}: ${share} of the last ${shown} suggestions ${accepted > 1 ? 'were' : 'was'} accepted. /speculation on in a chat resumes it now.`;
    }
    case 'session_budget':
      if (pause.limit === 0) return 'Working ahead is off: speculation.sessionTokens is 0.';
      return `Working ahead is paused in this chat: its ${grouped(pause.limit)} tokens are used up. Start a new chat, or raise the setting speculation.sessionTokens.`;
    case 'daily_budget':
      if (pause.limit === 0) return 'Working ahead is off: speculation.dailyTokens is 0.';
      return `Working ahead is paused until tomorrow: the ${grouped(pause.limit)} tokens of the day are used up. To continue today, raise the setting speculation.dailyTokens.`;
  }
}

/** In local time; with the date if it is not today. */
function moment(at: number, now: number): string {
  const time = new Date(at);
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`;
  const isToday = time.toDateString() === new Date(now).toDateString();
  return isToday
    ? clock
    : `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

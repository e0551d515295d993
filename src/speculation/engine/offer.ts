/**
 * The effect of accepting a speculation, as shown to the user beside the suggestion.
 *
 * Invariant: a result that was not proved is never shown as clean.
 */
import type { LostFiles } from '../../agent/command-runner.ts';
import { unreachable } from '../../base/unreachable.ts';
import type { Boundary } from './boundary.ts';

export interface OfferVerdict {
  /** How many files this speculation changes; the ones it is built upon have verdicts of their own. */
  readonly files: number;
  readonly errorsIntroduced: number;
  readonly errorsResolved: number;
  /** `proved`: the counts are exact. `unproved`: there may be more errors. `unjudged`: nothing evaluated the change. */
  readonly proof: 'proved' | 'unproved' | 'unjudged';
  readonly commands: readonly RanCommand[];
}

/** A command that was run against the changed files. */
export interface RanCommand {
  readonly command: string;
  readonly outcome: 'passed' | 'failed';
}

/** `3 files, 0 errors introduced, tests pass`. `restsOn` are the suggestions it is built upon, the nearest last. */
export function renderOffer(
  verdict: OfferVerdict,
  boundary: Boundary,
  restsOn: readonly string[] = [],
): string {
  const { files, commands } = verdict;
  return [
    files === 0 ? 'no files changed' : counted(files, 'file'),
    ...(files === 0 ? [] : errorsText(verdict)),
    ...commandsText(commands),
    ...boundaryText(boundary),
    ...restsOn.slice(-1).map((suggestion) => `on top of “${shortened(suggestion)}”`),
  ].join(', ');
}

function errorsText({ errorsIntroduced, errorsResolved, proof }: OfferVerdict): readonly string[] {
  if (proof === 'unjudged') return [];
  const resolved = errorsResolved > 0 ? [`${errorsResolved} resolved`] : [];
  if (proof === 'unproved' && errorsIntroduced === 0) return ['not proved free of errors', ...resolved];
  return [`${counted(errorsIntroduced, 'error')} introduced`, ...resolved];
}

/** The last run of each command counts: one that failed and then passed has passed. */
function commandsText(commands: readonly RanCommand[]): readonly string[] {
  const last = new Map(commands.map((ran) => [ran.command, ran]));
  const tests = [...last.values()].filter(({ command }) => testCommand.test(command));
  const others = [...last.values()].filter(({ command }) => !testCommand.test(command));
  const failed = others.filter(({ outcome }) => outcome === 'failed');
  return [
    ...(tests.length === 0 ? [] : [tests.some(hasFailed) ? 'tests fail' : 'tests pass']),
    ...failed.map(({ command }) => `${shortened(command)} fails`),
    ...(others.length > failed.length ? [`${counted(others.length - failed.length, 'command')} passed`] : []),
  ];
}

const testCommand =
  /\b(test|tests|vitest|jest|mocha|pytest|tox|rspec|phpunit|ctest|nextest|unittest|playwright)\b/i;

function hasFailed({ outcome }: RanCommand): boolean {
  return outcome === 'failed';
}

function boundaryText(boundary: Boundary): readonly string[] {
  switch (boundary.kind) {
    case 'complete':
    case 'accepted':
      return [];
    case 'limit':
      return ['not finished'];
    case 'edit':
    case 'bash':
    case 'denied_tool':
      if (boundary.lost) return [rerunText(boundary.detail, boundary.lost)];
      return [`stops before ${shortened(boundary.detail || boundary.tool)}`];
    default:
      return unreachable(boundary);
  }
}

/** `npm test runs again when you accept: it wrote /tmp/report.xml`. */
function rerunText(command: string, { paths, listed }: LostFiles): string {
  const [first = 'files outside the workspace', ...others] = paths;
  const more =
    listed === 'some' && paths.length > 0
      ? ' and more'
      : others.length === 0
        ? ''
        : ` and ${others.length} more`;
  return `${shortened(command)} runs again when you accept: it wrote ${shortened(first)}${more}`;
}

const longestShown = 40;

function shortened(text: string): string {
  const line = text.split('\n')[0] ?? '';
  return line.length <= longestShown ? line : `${line.slice(0, longestShown - 1)}…`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

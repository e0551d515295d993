/** The words of merges: names, letters, and what a cell says. */
import type {
  MergeAlone,
  MergeRun,
  WireMergeCandidate,
  WireMergePair,
} from '../../src/editor/protocol/merge.ts';
import { counted } from '../../src/text/counted-noun.ts';
import { nameOf } from '../shell/place.ts';
import type { VerdictKind } from '../ui/verdict.tsx';

export interface CellWords {
  readonly kind: VerdictKind;
  /** `2 errors`: what the cell shows. */
  readonly word: string;
  /** `semantic conflict, 2 errors`: what is read out. */
  readonly spoken: string;
}

/** A to Z; a run has no more sides. */
export function letterOf(index: number): string {
  return String.fromCharCode(65 + index);
}

/** A working tree is named by its directory, a what-if by its title. */
export function sideTitle(side: Pick<WireMergeCandidate, 'name' | 'title'> | undefined): string {
  const { name = '', title } = side ?? {};
  return title ?? (name.startsWith('/') ? nameOf(name) : name);
}

export function candidateDetail({ kind, branch, author, at }: WireMergeCandidate): string {
  if (kind === 'what-if') return ['what-if', author].filter((word) => word !== undefined).join(' of ');
  if (kind === 'worktree') return branch === undefined ? 'working tree' : `working tree of ${branch}`;
  const day = at === undefined ? undefined : new Date(at).toLocaleDateString();
  return [kind === 'remote' ? 'remote' : undefined, author, day]
    .filter((word) => word !== undefined)
    .join(', ');
}

const checking: CellWords = { kind: 'checking', word: 'Checking', spoken: 'checking' };
const notChecked: CellWords = { kind: 'none', word: 'Not checked', spoken: 'not checked' };

export function aloneWords(alone: MergeAlone | undefined, state: MergeRun['state']['kind']): CellWords {
  if (alone === undefined) return state === 'checking' ? checking : notChecked;
  switch (alone.kind) {
    case 'clean':
      return { kind: 'clean', word: 'alone', spoken: 'clean alone' };
    case 'broken': {
      const errors = counted(alone.errors, 'error');
      return { kind: 'break', word: errors, spoken: `breaks alone, ${errors}` };
    }
    case 'textual':
      return textualWords(alone.paths, 'textual conflict with the target');
    case 'unknown':
      return { kind: 'unknown', word: 'Unknown', spoken: 'unknown alone' };
  }
}

export function pairWords(
  outcome: WireMergePair['outcome'] | undefined,
  state: MergeRun['state']['kind'],
): CellWords {
  if (outcome === undefined) return state === 'checking' ? checking : notChecked;
  switch (outcome.kind) {
    case 'clean':
      return { kind: 'clean', word: 'Clean', spoken: 'clean' };
    case 'textual':
      return textualWords(outcome.paths, 'textual conflict');
    case 'semantic': {
      const errors = counted(outcome.count, 'error');
      return { kind: 'break', word: errors, spoken: `semantic conflict, ${errors}` };
    }
    case 'unknown':
      return { kind: 'unknown', word: 'Unknown', spoken: 'unknown' };
  }
}

function textualWords(paths: readonly string[], spoken: string): CellWords {
  const files = counted(paths.length, 'file');
  return { kind: 'conflict', word: files, spoken: `${spoken} in ${files}` };
}

/** `15 pairs, 14 answered · 2.4 s`. */
export function runWords({ sides, pairs, state }: MergeRun): string {
  const all = counted((sides.length * (sides.length - 1)) / 2, 'pair');
  switch (state.kind) {
    case 'checking':
      return `${all}, ${pairs.length} answered`;
    case 'cancelled':
      return `${all}, ${pairs.length} answered · cancelled`;
    case 'done':
      return `${all} · ${(state.durationMs / 1000).toFixed(1)} s`;
    case 'failed':
      return state.message;
  }
}

/** Plain git commands that make the train, one a line. */
export function trainCommands({ onto, sides, train }: MergeRun): string {
  const merges = (train?.order ?? []).flatMap((index) => {
    const side = sides[index];
    if (side === undefined) return [];
    if (side.title === undefined) return [`git merge --no-ff ${quoted(side.name)}`];
    return [`# ${side.title.replaceAll('\n', ' ')}: a what-if, committed from the editor`];
  });
  return [`git switch ${quoted(onto.name)}`, ...merges].join('\n');
}

/** As one word of a shell. */
function quoted(name: string): string {
  return /^[\w./@-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}

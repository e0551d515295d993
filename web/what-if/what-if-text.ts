/** The words of a what-if: its verdict, size and age. */
import type { WhatIfFile, WhatIfRow } from '../../src/editor/protocol/what-if.ts';
import { counted } from '../../src/text/counted-noun.ts';
import { kindOf, wordOf } from '../future/verdict-text.ts';
import type { VerdictKind } from '../ui/verdict.tsx';

export function statusWord({ status }: Pick<WhatIfRow, 'status'>): {
  readonly kind: VerdictKind;
  readonly word: string;
} {
  switch (status.kind) {
    case 'checking':
      return { kind: 'checking', word: 'Checking' };
    case 'unchecked':
      return { kind: 'none', word: 'Not checked' };
    case 'base-changed':
      return { kind: 'conflict', word: 'Base changed on disk' };
    case 'unreadable':
      return { kind: 'unknown', word: 'Cannot be read' };
    case 'checked':
      return { kind: kindOf(status), word: wordOf(status) };
  }
}

/** `4 files +31 −12`. */
export function sizeWord({ files, added, removed }: WhatIfRow): string {
  const lines = added + removed === 0 ? '' : ` +${added} −${removed}`;
  return `${counted(files.length, 'file')}${lines}`;
}

/** `1 file is created empty, 2 are moved and 1 is deleted`; empty where text alone is changed. */
export function diskWords(kinds: readonly WhatIfFile['kind'][]): string {
  const verbs = { created: 'created empty', renamed: 'moved', deleted: 'deleted' } as const;
  const parts = (['created', 'renamed', 'deleted'] as const).flatMap((kind) => {
    const number = kinds.filter((each) => each === kind).length;
    return number === 0 ? [] : [{ number, verb: verbs[kind] }];
  });
  const words = parts.map(({ number, verb }, index) => {
    const subject = index === 0 ? counted(number, 'file') : `${number}`;
    return `${subject} ${number === 1 ? 'is' : 'are'} ${verb}`;
  });
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((each) => each !== '').join(' and ');
}

/** `now`, `4 min`, `2 h`, `3 d`. */
export function ageWord(at: number, now = Date.now()): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / 60 / 24)} d`;
}

/** `13:52`. */
export function clockWord(at: number): string {
  return new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false });
}

/** `1st`, `2nd`. */
export function rankWord(rank: number): string {
  const ends: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };
  const isTeen = rank % 100 > 10 && rank % 100 < 14;
  return `${rank}${isTeen ? 'th' : (ends[rank % 10] ?? 'th')}`;
}

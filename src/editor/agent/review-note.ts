/**
 * What the model is told of the user's decisions about its proposal, before the user's next words.
 *
 * Invariant: every rejected and every edited change is in it whole, so that the model neither takes it for done nor
 * makes it again.
 */
import type { SettledHunk } from './proposed-files.ts';

/** Nothing where there is nothing to tell. */
export function reviewNote(settled: readonly SettledHunk[], open: number): string | undefined {
  if (settled.length === 0 && open === 0) return undefined;
  const accepted = settled.filter(({ decision }) => decision.kind === 'accepted');
  const rejected = settled.filter(({ decision }) => decision.kind === 'rejected');
  const edited = settled.filter(({ decision }) => decision.kind === 'edited');
  const lines = [
    'The user reviewed the changes you proposed.',
    ...(accepted.length > 0 ? [`Accepted, and in the files now: ${placesOf(accepted)}.`] : []),
    ...(rejected.length > 0
      ? ['Rejected, and not in the files. Do not make these changes again unless you are asked to:']
      : []),
    ...rejected.map((hunk) =>
      `${placeOf(hunk)}\n${signed('-', hunk.replaced)}${signed('+', hunk.text)}`.trimEnd(),
    ),
    ...(edited.length > 0
      ? ['Edited by the user before it was accepted. The user’s text is in the files:']
      : []),
    ...edited.map((hunk) =>
      [
        placeOf(hunk),
        `You proposed:\n${signed('+', hunk.text)}`.trimEnd(),
        `The user wrote:\n${signed('+', hunk.decision.kind === 'edited' ? hunk.decision.text : '')}`.trimEnd(),
      ].join('\n'),
    ),
    ...(open > 0 ? [`Not decided yet: ${open === 1 ? '1 change' : `${open} changes`}.`] : []),
  ];
  return `<review>\n${lines.join('\n')}\n</review>`;
}

function placesOf(hunks: readonly SettledHunk[]): string {
  return hunks.map(placeOf).join(', ');
}

function placeOf({ path, line }: SettledHunk): string {
  return `${path}:${line + 1}`;
}

function signed(sign: string, text: string): string {
  if (text === '') return '';
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((each) => `${sign} ${each}\n`)
    .join('');
}

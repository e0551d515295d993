/** The lines of a changed file, as a patch shows them. */
import type { VNode } from 'preact';
import type { WhatIfFile } from '../../src/editor/protocol/what-if.ts';
import { makeHunks } from '../../src/text/hunk.ts';

const looks = {
  context: { class: '', sign: ' ', words: '' },
  added: { class: 'dadd', sign: '+', words: 'added' },
  removed: { class: 'ddel', sign: '−', words: 'removed' },
} as const;

/** Lines around a change. */
const contextLines = 3;

/** Lines of one file that are drawn; beyond them a note says how many more there are. */
const drawnLines = 2_000;

export function DiffLines({ file }: { readonly file: WhatIfFile }): VNode {
  if (file.texts === undefined) return <div class="emp muted">Not shown: it is no text, or very long.</div>;
  const { before, after } = file.texts;
  const hunks = makeHunks(before, after, contextLines);
  const total = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  let left = drawnLines;
  return (
    <div class="code diff">
      {hunks.map(({ oldStart, newStart, lines }) => {
        let [old, now] = [oldStart, newStart];
        const drawn = lines.slice(0, left);
        left -= drawn.length;
        return (
          <div key={`${oldStart} ${newStart}`} class="hunk">
            {drawn.map(({ kind, text }) => {
              const number = kind === 'removed' ? old : now;
              if (kind !== 'added') old += 1;
              if (kind !== 'removed') now += 1;
              const look = looks[kind];
              return (
                <div class={`ln ${look.class}`} key={`${kind} ${number}`}>
                  <span class="g n">{number}</span>
                  <span class="sg" aria-hidden="true">
                    {look.sign}
                  </span>
                  {look.words === '' ? null : <span class="sr">{look.words}</span>}
                  <span class="t">{text.replace(/\r?\n$/, '')}</span>
                </div>
              );
            })}
          </div>
        );
      })}
      {total > drawnLines ? (
        <div class="muted">{`${total - drawnLines} more lines are not shown.`}</div>
      ) : null}
    </div>
  );
}

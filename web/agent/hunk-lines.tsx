/** The lines of a hunk with some of what stands around it; what differs inside a line is marked. */
import type { VNode } from 'preact';
import type { ProposalFile, ProposalHunk } from '../../src/editor/protocol/agent.ts';
import { commonSplice } from '../../src/text/diff.ts';

const linesAround = 3;

export function HunkLines({
  file,
  hunk,
}: {
  readonly file: ProposalFile;
  readonly hunk: ProposalHunk;
}): VNode {
  const removed = linesOf(hunk.before);
  const added = linesOf(hunk.decision.kind === 'edited' ? hunk.decision.text : hunk.after);
  const all = linesOf(file.baseline);
  const end = hunk.oldLine + removed.length;
  const before = all.slice(Math.max(0, hunk.oldLine - linesAround), hunk.oldLine);
  const after = all.slice(end, end + linesAround);
  const isPaired = removed.length === added.length;
  return (
    <div class="code hunk-lines">
      {before.map((text, index) => (
        <Line key={`b${index}`} number={hunk.oldLine - before.length + index + 1} sign=" " text={text} />
      ))}
      {removed.map((text, index) => (
        <Line
          key={`-${index}`}
          number={hunk.oldLine + index + 1}
          sign="−"
          text={text}
          other={isPaired ? added[index] : undefined}
        />
      ))}
      {added.map((text, index) => (
        <Line
          key={`+${index}`}
          number={hunk.newLine + index + 1}
          sign="+"
          text={text}
          other={isPaired ? removed[index] : undefined}
        />
      ))}
      {after.map((text, index) => (
        <Line key={`a${index}`} number={end + index + 1} sign=" " text={text} />
      ))}
    </div>
  );
}

interface LineProps {
  readonly number: number;
  readonly sign: ' ' | '+' | '−';
  readonly text: string;
  readonly other?: string | undefined;
}

const looks = { ' ': '', '+': ' dadd', '−': ' ddel' } as const;
const spoken = { ' ': '', '+': 'added', '−': 'removed' } as const;

function Line({ number, sign, text, other }: LineProps): VNode {
  return (
    <div class={`ln${looks[sign]}`}>
      <span class="g n">{number}</span>
      <span class="sg">
        {sign}
        {sign !== ' ' && <span class="sr">{spoken[sign]}</span>}
      </span>
      <span class="t">{other === undefined ? text : marked(text, other, sign)}</span>
    </div>
  );
}

/** What differs from the line it replaces or is replaced by. */
function marked(text: string, other: string, sign: string): VNode | string {
  const splice = commonSplice(text, other);
  if (splice === undefined || splice.start === splice.end) return text;
  return (
    <>
      {text.slice(0, splice.start)}
      <span class={sign === '+' ? 'wadd' : 'wdel'}>{text.slice(splice.start, splice.end)}</span>
      {text.slice(splice.end)}
    </>
  );
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return text.replace(/\n$/, '').split('\n');
}

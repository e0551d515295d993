/** Both sides of a merge in step: every place begins at the same height on the left and on the right. */
import type { VNode } from 'preact';
import type { MergedPlace } from '../../src/text/three-way.ts';
import { Button } from '../ui/button.tsx';
import { Verdict } from '../ui/verdict.tsx';
import type { Choice, OpenPlace } from './merge-choice.ts';

interface MergeSidesProps {
  readonly places: readonly MergedPlace[];
  readonly choices: readonly (Choice | undefined)[];
  readonly choose: (index: number, choice: Choice) => void;
}

const sideTitles = { disk: 'On disk', mine: 'Yours, unsaved' } as const;
const whoWords = {
  disk: 'only the disk changed here',
  mine: 'only you changed here',
  both: 'both changed here',
} as const;

export function MergeSides(props: MergeSidesProps): VNode {
  return (
    <div class="mg">
      <Side {...props} side="disk" />
      <Side {...props} side="mine" />
    </div>
  );
}

function Side({
  places,
  choices,
  choose,
  side,
}: MergeSidesProps & { readonly side: 'disk' | 'mine' }): VNode {
  let line = 1;
  let number = 0;
  return (
    <div class="side" data-side={side}>
      <div class="dh">
        <span class="strong">{sideTitles[side]}</span>
      </div>
      <div class="code">
        {places.map((place, index) => {
          const texts = linesOf(place.kind === 'same' ? place.text : place[side]);
          const first = line;
          line += texts.length;
          const key = `${index}`;
          if (place.kind === 'same') return <Lines key={key} lines={texts} first={first} look="" pad={0} />;
          number += 1;
          const other = linesOf(side === 'disk' ? place.mine : place.disk).length;
          return (
            <div key={key} class="place">
              <PlaceHead
                place={place}
                side={side}
                number={number}
                choice={choices[index]}
                choose={(choice) => choose(index, choice)}
              />
              <Lines
                lines={texts}
                first={first}
                look={place[side] === place.base ? '' : 'dadd'}
                pad={Math.max(0, other - texts.length)}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function PlaceHead(props: {
  readonly place: OpenPlace;
  readonly side: 'disk' | 'mine';
  readonly number: number;
  readonly choice: Choice | undefined;
  readonly choose: (choice: Choice) => void;
}): VNode {
  const { place, side, number, choice, choose } = props;
  const isUsed = choice === side || choice === 'both';
  const offersBoth = place.kind === 'both' && side === 'mine' && choice !== 'both';
  return (
    <div class={`pl${choice === undefined ? ' on' : ''}`}>
      <span class="medium">{`Place ${number}`}</span>
      <span class="muted cut grow">{side === 'disk' ? whoWords[place.kind] : ''}</span>
      {offersBoth ? (
        <Button size="small" onClick={() => choose('both')}>
          Use both
        </Button>
      ) : null}
      {isUsed ? (
        <Verdict kind="clean" size="small">
          Used
        </Verdict>
      ) : (
        <Button size="small" onClick={() => choose(side)}>
          {side === 'disk' ? 'Use disk' : 'Use mine'}
        </Button>
      )}
    </div>
  );
}

function Lines(props: {
  readonly lines: readonly string[];
  readonly first: number;
  readonly look: string;
  readonly pad: number;
}): VNode {
  const { lines, first, look, pad } = props;
  return (
    <>
      {lines.map((text, index) => (
        <div class={`ln ${look}`} key={`${first + index}`}>
          <span class="g n">{first + index}</span>
          <span class="sg">{look === 'dadd' ? '+' : ' '}</span>
          <span class="t">{text}</span>
        </div>
      ))}
      {Array.from({ length: pad }, (_, index) => (
        <div class="ln pad" key={`pad ${index + 1}`} />
      ))}
    </>
  );
}

function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

/**
 * A file that changed on disk under unsaved text: both sides, three ways out, the verdict of each.
 *
 * Invariant: nothing is written before a way is chosen, and the side that is not written goes to a what-if.
 */
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { WireEvaluation } from '../../src/editor/protocol/evaluation.ts';
import { counted } from '../../src/text/counted-noun.ts';
import { type MergedPlace, placesBetween } from '../../src/text/three-way.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import { nameOf } from '../shell/place.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Verdict, type VerdictKind } from '../ui/verdict.tsx';
import { type Choice, chosenText, firstChoices, leftSides } from './merge-choice.ts';
import { MergeSides } from './merge-sides.tsx';
import { kindOf, wordOf } from './verdict-text.ts';

interface Sides {
  readonly mine: string;
  readonly disk?: string | undefined;
  readonly base?: string | undefined;
}

type Way = 'disk' | 'mine' | 'merge';

export function ConflictView({ page, path }: { readonly page: Page; readonly path: string }): VNode {
  const [sides, setSides] = useState<Sides | undefined>(undefined);
  const state = page.buffers.states.value.get(path);
  // The sides are read again when the disk changes once more.
  const revision = `${state?.conflict} ${state?.version}`;
  useEffect(() => {
    const abort = new AbortController();
    page.run(async () => setSides(await page.link.request('buffer.sides', { path }, abort.signal)));
    return () => abort.abort();
  }, [page, path, revision]);
  if (sides === undefined) return <div class="empty muted">Reading both texts.</div>;
  return (
    <Choose
      key={`${sides.disk}`}
      page={page}
      path={path}
      sides={sides}
      isDeleted={state?.conflict === 'deleted'}
    />
  );
}

interface ChooseProps {
  readonly page: Page;
  readonly path: string;
  readonly sides: Sides;
  readonly isDeleted: boolean;
}

function Choose({ page, path, sides, isDeleted }: ChooseProps): VNode {
  const { mine, disk = '', base = '' } = sides;
  const places = useMemo(() => placesBetween({ base, disk, mine }), [base, disk, mine]);
  const [choices, setChoices] = useState(() => firstChoices(places));
  const [way, setWay] = useState<Way>('merge');
  const [isSaving, setSaving] = useState(false);
  const merged = isDeleted ? undefined : chosenText(places, choices);
  const ofMine = useVerdict(page, path, mine);
  const ofMerge = useVerdict(page, path, merged);
  const left = places.filter((place, index) => place.kind !== 'same' && choices[index] === undefined).length;
  const all = places.filter(({ kind }) => kind !== 'same').length;
  const chosen: Way = isDeleted && way === 'merge' ? 'mine' : way;
  const isReady = chosen !== 'merge' || (merged !== undefined && ofMerge !== undefined);
  const choose = (index: number, choice: Choice): void => {
    setChoices(choices.map((each, at) => (at === index ? choice : each)));
    setWay('merge');
  };
  const save = (): void => {
    setSaving(true);
    page.run(async () => {
      try {
        await resolve(page, { path, sides, way: chosen, merged, leave: leaveOf(chosen, places, choices) });
      } finally {
        setSaving(false);
      }
    });
  };
  return (
    <section class="conflict" aria-label={`${nameOf(path)} changed on disk`}>
      <div class="note caution">
        <Icon name="conflict" />
        <span class="grow">
          <b>Not saved.</b>
          {` Another program ${isDeleted ? 'deleted' : 'changed'} ${nameOf(path)} on disk, after you opened it. Both texts are kept until you choose.`}
        </span>
      </div>
      <div class="opt" role="radiogroup" aria-label="Which text to save">
        <WayOption
          title={isDeleted ? 'Leave it deleted' : 'Keep the disk'}
          detail="Your text goes to a what-if."
          isOn={chosen === 'disk'}
          onClick={() => setWay('disk')}
          verdict={{ kind: 'clean', word: 'Clean, nothing is written' }}
        />
        <WayOption
          title="Keep mine"
          detail={isDeleted ? 'The file is written again.' : 'The text on disk goes to a what-if.'}
          isOn={chosen === 'mine'}
          onClick={() => setWay('mine')}
          verdict={shown(ofMine)}
        />
        {isDeleted ? null : (
          <WayOption
            title="Merge, as chosen below"
            detail={
              left === 0
                ? `All of ${counted(all, 'place')} chosen.`
                : `${left} of ${counted(all, 'place')} still need a choice.`
            }
            isOn={chosen === 'merge'}
            onClick={() => setWay('merge')}
            verdict={left === 0 ? shown(ofMerge) : { kind: 'none', word: 'Checked when all are chosen' }}
          />
        )}
      </div>
      {isDeleted ? <div class="grow" /> : <MergeSides places={places} choices={choices} choose={choose} />}
      <div class="conflict-foot">
        <span class="sm muted grow cut">What is not kept goes to a what-if, so nothing is lost.</span>
        <Button look="primary" isDisabled={!isReady || isSaving} onClick={save}>
          {saveTitles[chosen]}
        </Button>
      </div>
    </section>
  );
}

const saveTitles: Readonly<Record<Way, string>> = {
  disk: 'Keep the disk',
  mine: 'Save mine',
  merge: 'Save the merge',
};

interface ShownVerdict {
  readonly kind: VerdictKind;
  readonly word: string;
}

function WayOption(props: {
  readonly title: string;
  readonly detail: string;
  readonly isOn: boolean;
  readonly onClick: () => void;
  readonly verdict: ShownVerdict;
}): VNode {
  const { title, detail, isOn, onClick, verdict } = props;
  return (
    <button type="button" class={`op${isOn ? ' on' : ''}`} role="radio" aria-checked={isOn} onClick={onClick}>
      <span class="rd" />
      <span class="strong">{title}</span>
      <span class="sm muted">{detail}</span>
      <Verdict kind={verdict.kind} size="small">
        {verdict.word}
      </Verdict>
    </button>
  );
}

function shown(evaluation: WireEvaluation | undefined): ShownVerdict {
  if (evaluation === undefined) return { kind: 'checking', word: 'Checking' };
  return { kind: kindOf(evaluation), word: wordOf(evaluation) };
}

/** The verdict of writing a text; undefined while it is not known. */
function useVerdict(page: Page, path: string, text: string | undefined): WireEvaluation | undefined {
  const [known, setKnown] = useState<
    { readonly text: string; readonly evaluation: WireEvaluation } | undefined
  >(undefined);
  useEffect(() => {
    if (text === undefined) return undefined;
    const abort = new AbortController();
    page.run(async () => {
      const evaluation = await page.link.request('future.judge', { path, text }, abort.signal);
      setKnown({ text, evaluation });
    });
    return () => abort.abort();
  }, [page, path, text]);
  return known?.text === text ? known?.evaluation : undefined;
}

function leaveOf(
  way: Way,
  places: readonly MergedPlace[],
  choices: readonly (Choice | undefined)[],
): readonly ('disk' | 'mine')[] {
  if (way === 'disk') return ['mine'];
  return way === 'mine' ? ['disk'] : leftSides(places, choices);
}

interface Resolution {
  readonly path: string;
  readonly sides: Sides;
  readonly way: Way;
  readonly merged: string | undefined;
  readonly leave: readonly ('disk' | 'mine')[];
}

async function resolve(page: Page, { path, sides, way, merged, leave }: Resolution): Promise<void> {
  const outcome = await page.link.request(
    'future.resolve',
    {
      path,
      keep: way,
      leave: [...leave],
      ...(sides.disk !== undefined && { disk: sides.disk }),
      ...(way === 'merge' && merged !== undefined && { text: merged }),
    },
    neverAborts,
  );
  if (outcome.kind === 'conflict') {
    page.toasts.show({
      title: `${nameOf(path)} changed on disk once more.`,
      icon: 'conflict',
      colour: 'caution',
    });
    return;
  }
  const kept = outcome.whatIfs.length > 0 ? ' The other text is a what-if.' : '';
  page.toasts.show({
    title: way === 'disk' ? `Kept the disk.${kept}` : `Saved ${nameOf(path)}.${kept}`,
    icon: 'clean',
    colour: 'clean',
  });
}

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
import { type Choice, chosenText, draftText, firstChoices, leftSides } from './merge-choice.ts';
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
  if (sides === undefined) return <div class="emp muted">Reading both texts.</div>;
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
  const [byHand, setByHand] = useState<string | undefined>(undefined);
  const [way, setWay] = useState<Way>('merge');
  const [isSaving, setSaving] = useState(false);
  const merged = isDeleted ? undefined : (byHand ?? chosenText(places, choices));
  const ofMine = useVerdict(page, path, mine);
  const ofMerge = useVerdict(page, path, merged);
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
        const leave =
          byHand === undefined ? leaveOf(chosen, places, choices) : leftByHand(chosen, sides, byHand);
        await resolve(page, { path, sides, way: chosen, merged, leave });
      } finally {
        setSaving(false);
      }
    });
  };
  const edit = (): void => {
    setByHand(byHand === undefined ? draftText(places, choices) : undefined);
    setWay('merge');
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
      <Ways
        isDeleted={isDeleted}
        chosen={chosen}
        choose={setWay}
        mine={shown(ofMine)}
        merge={{
          title: byHand === undefined ? 'Merge, as chosen below' : 'Merge, as written below',
          detail: mergeDetail(places, choices, byHand),
          verdict: merged === undefined ? openVerdict : shown(ofMerge),
        }}
      />
      <MergeBody isDeleted={isDeleted} byHand={byHand} onInput={setByHand}>
        <MergeSides places={places} choices={choices} choose={choose} />
      </MergeBody>
      <div class="conflict-foot">
        <span class="sm muted grow cut">What is not kept goes to a what-if, so nothing is lost.</span>
        {!isDeleted && (
          <Button onClick={edit}>
            {byHand === undefined ? 'Edit the result by hand' : 'Choose by place'}
          </Button>
        )}
        <Button look="primary" isDisabled={!isReady || isSaving} onClick={save}>
          {saveTitles[chosen]}
        </Button>
      </div>
    </section>
  );
}

const openVerdict: ShownVerdict = { kind: 'none', word: 'Checked when all are chosen' };

/** The ways out, with the verdict of each. */
function Ways(props: {
  readonly isDeleted: boolean;
  readonly chosen: Way;
  readonly choose: (way: Way) => void;
  readonly mine: ShownVerdict;
  readonly merge: { readonly title: string; readonly detail: string; readonly verdict: ShownVerdict };
}): VNode {
  const { isDeleted, chosen, choose, mine, merge } = props;
  return (
    <div class="opt" role="radiogroup" aria-label="Which text to save">
      <WayOption
        title={isDeleted ? 'Leave it deleted' : 'Keep the disk'}
        detail="Your text goes to a what-if."
        isOn={chosen === 'disk'}
        onClick={() => choose('disk')}
        verdict={{ kind: 'clean', word: 'Clean, nothing is written' }}
      />
      <WayOption
        title="Keep mine"
        detail={isDeleted ? 'The file is written again.' : 'The text on disk goes to a what-if.'}
        isOn={chosen === 'mine'}
        onClick={() => choose('mine')}
        verdict={mine}
      />
      {!isDeleted && <WayOption {...merge} isOn={chosen === 'merge'} onClick={() => choose('merge')} />}
    </div>
  );
}

function MergeBody(props: {
  readonly isDeleted: boolean;
  readonly byHand: string | undefined;
  readonly onInput: (text: string) => void;
  readonly children: VNode;
}): VNode {
  const { isDeleted, byHand, onInput, children } = props;
  if (isDeleted) return <div class="grow" />;
  return byHand === undefined ? children : <MergedText text={byHand} onInput={onInput} />;
}

/** The result as it is written, whole. */
function MergedText(props: { readonly text: string; readonly onInput: (text: string) => void }): VNode {
  // A field has line feeds alone; the file keeps the line ends it has.
  const ending = props.text.includes('\r\n') ? '\r\n' : '\n';
  return (
    <textarea
      class="code merged-text"
      aria-label="Text to save"
      spellcheck={false}
      value={props.text.replaceAll('\r\n', '\n')}
      onInput={({ currentTarget }) => props.onInput(currentTarget.value.replaceAll('\n', ending))}
    />
  );
}

function mergeDetail(
  places: readonly MergedPlace[],
  choices: readonly (Choice | undefined)[],
  byHand: string | undefined,
): string {
  if (byHand !== undefined) return 'Edited by hand.';
  const open = places.map((place, index) => place.kind !== 'same' && choices[index] === undefined);
  const left = open.filter((isOpen) => isOpen).length;
  const all = counted(places.filter(({ kind }) => kind !== 'same').length, 'place');
  return left === 0 ? `All of ${all} chosen.` : `${left} of ${all} still need a choice.`;
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

/** A text that is written by hand is judged in the pauses. */
const pauseMs = 150;

/** The verdict of writing a text; undefined while it is not known. */
function useVerdict(page: Page, path: string, text: string | undefined): WireEvaluation | undefined {
  const [known, setKnown] = useState<
    { readonly text: string; readonly evaluation: WireEvaluation } | undefined
  >(undefined);
  useEffect(() => {
    if (text === undefined) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      page.run(async () => {
        const evaluation = await page.link.request('future.judge', { path, text }, abort.signal);
        setKnown({ text, evaluation });
      });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
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

/** What is written by hand may hold anything of a side or nothing: one that is not the result is kept whole. */
function leftByHand(way: Way, { mine, disk }: Sides, text: string): readonly ('disk' | 'mine')[] {
  if (way !== 'merge') return [way === 'disk' ? 'mine' : 'disk'];
  return [
    ...(disk !== undefined && disk !== text ? (['disk'] as const) : []),
    ...(mine !== text ? (['mine'] as const) : []),
  ];
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

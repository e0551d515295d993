/**
 * One changed file, before and after, side by side or in one column.
 *
 * Invariant: both texts are of one moment; they are asked for again whenever a text, the disk or the index changes.
 */
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ResultOf } from '../../src/editor/protocol.ts';
import type { Page } from '../shell/page.ts';
import { Button } from '../ui/button.tsx';
import type { ChangeStore } from './change-store.ts';
import type { DiffForm, ShownDiff } from './diff-view.ts';

type Texts = ResultOf<'git.texts'>;
/** What the text is compared with. */
type Against = 'index' | 'head';

interface DiffTabProps {
  readonly page: Page;
  readonly store: ChangeStore;
  readonly path: string;
  /** `staged`: the index against the last commit. `unstaged`: the shown text. */
  readonly list: 'staged' | 'unstaged';
}

const againstChoices = [
  { id: 'index', title: 'Staged' },
  { id: 'head', title: 'Last commit' },
] as const;

const formChoices = [
  { id: 'sides', title: 'Side by side' },
  { id: 'unified', title: 'One column' },
] as const;

export function DiffTab({ page, store, path, list }: DiffTabProps): VNode {
  const [against, setAgainst] = useState<Against>(list === 'staged' ? 'head' : 'index');
  const [form, setForm] = useState<DiffForm>('sides');
  const texts = useTexts(page, store, path);
  return (
    <section class="diff-tab" aria-label={`Changes of ${path}`} data-diff={path}>
      <header class="diff-head">
        <span class="mono cut grow" title={path}>
          {path}
        </span>
        {list === 'unstaged' && (
          <Choice label="Compare with" choices={againstChoices} chosen={against} choose={setAgainst} />
        )}
        <Choice label="Form" choices={formChoices} chosen={form} choose={setForm} />
        <Button size="small" onClick={() => page.openFile(path)}>
          Open file
        </Button>
      </header>
      <DiffBody path={path} texts={texts} sides={sidesOf(texts, list, against)} form={form} />
    </section>
  );
}

function sidesOf(
  texts: Texts | undefined,
  list: DiffTabProps['list'],
  against: Against,
): readonly [string | undefined, string | undefined] {
  if (list === 'staged') return [texts?.head, texts?.index];
  return [texts?.[against], texts?.shown];
}

function Choice<Id extends string>(props: {
  readonly label: string;
  readonly choices: readonly { readonly id: Id; readonly title: string }[];
  readonly chosen: Id;
  readonly choose: (id: Id) => void;
}): VNode {
  return (
    <span class="seg" role="group" aria-label={props.label}>
      {props.choices.map(({ id, title }) => (
        <button
          type="button"
          key={id}
          class={id === props.chosen ? 'on' : ''}
          aria-pressed={id === props.chosen}
          onClick={() => props.choose(id)}
        >
          {title}
        </button>
      ))}
    </span>
  );
}

function DiffBody(props: {
  readonly path: string;
  readonly texts: Texts | undefined;
  readonly sides: readonly [string | undefined, string | undefined];
  readonly form: DiffForm;
}): VNode | null {
  const { path, texts, sides, form } = props;
  const [before = '', after = ''] = sides;
  const host = useRef<HTMLDivElement>(null);
  const isShown = texts !== undefined && !texts.isBinary && before !== after;
  useEffect(() => {
    if (!isShown) return undefined;
    let isGone = false;
    let shown: ShownDiff | undefined;
    import('./diff-view.ts').then(
      ({ showDiff }) => {
        if (host.current !== null && !isGone) shown = showDiff(host.current, { path, before, after, form });
      },
      // The chunk is fetched again with the next text.
      () => undefined,
    );
    return () => {
      isGone = true;
      shown?.destroy();
    };
  }, [isShown, path, before, after, form]);
  if (texts === undefined) return null;
  if (texts.isBinary) return <div class="emp muted">Not shown: it is no text.</div>;
  if (before === after) return <div class="emp muted">No difference.</div>;
  return <div class="diff-host" data-form={form} ref={host} />;
}

/** The texts of a file, asked for again at every moment that may have changed them. */
function useTexts(page: Page, store: ChangeStore, path: string): Texts | undefined {
  const [texts, setTexts] = useState<Texts | undefined>(undefined);
  const moment = store.moment.value;
  const isOnline = page.link.state.value.kind === 'online';
  useEffect(() => {
    if (!isOnline) return undefined;
    const abort = new AbortController();
    page.run(async () => setTexts(await page.link.request('git.texts', { path }, abort.signal)));
    return () => abort.abort();
  }, [page, path, moment, isOnline]);
  return texts;
}

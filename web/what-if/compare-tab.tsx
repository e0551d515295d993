/** Two what-ifs side by side: the same facts in the same lines, then the diffs of one file. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { WhatIfFile } from '../../src/editor/protocol/what-if.ts';
import type { Page } from '../shell/page.ts';
import { nameOf } from '../shell/place.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { DiffLines } from './diff-lines.tsx';
import { useWhatIf, type WatchedWhatIf } from './use-what-if.ts';
import { Actions, factLabels, facts } from './what-if-facts.tsx';
import type { WhatIfStore } from './what-if-store.ts';
import { rankWord } from './what-if-text.ts';

interface CompareProps {
  readonly page: Page;
  readonly store: WhatIfStore;
  readonly ids: readonly string[];
}

export function CompareTab({ page, store, ids }: CompareProps): VNode {
  const [isSwapped, setSwapped] = useState(false);
  const [first = '', second = ''] = isSwapped ? [...ids].reverse() : ids;
  const [one, other] = [useWhatIf(page, store, first), useWhatIf(page, store, second)];
  if (one === undefined || other === undefined) return <div class="emp muted">Reading both changes.</div>;
  if (one === 'gone' || other === 'gone') {
    return (
      <div class="emp">
        <b>One of them no longer exists</b>
        <span class="muted">It was committed or discarded.</span>
      </div>
    );
  }
  return <Both page={page} store={store} a={one} b={other} swap={() => setSwapped(!isSwapped)} />;
}

interface BothProps extends Pick<CompareProps, 'page' | 'store'> {
  readonly a: WatchedWhatIf;
  readonly b: WatchedWhatIf;
  readonly swap: () => void;
}

function Both({ page, store, a, b, swap }: BothProps): VNode {
  const paths = [...new Set([...a.shown.files, ...b.shown.files].map(({ path }) => path))];
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const path = chosen !== undefined && paths.includes(chosen) ? chosen : (paths[0] ?? '');
  const sides = [a, b].map(({ shown, evaluation }) => facts({ page, shown, evaluation }));
  return (
    <section class="what-if-page" aria-label="Compare A and B">
      <div class="compare-head">
        <Head store={store} watched={a} letter="A" />
        <Head store={store} watched={b} letter="B" />
      </div>
      <table class="cmp" aria-label="Compare A and B">
        <tbody>
          {factLabels.map((label, index) => (
            <tr key={label}>
              {sides.map((side, at) => (
                <td key={at === 0 ? 'A' : 'B'}>
                  <span class="lb">{label}</span>
                  {side[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div class="compare-files">
        <div class="ptabs" role="tablist" aria-label="Files">
          {paths.map((each) => (
            <button
              type="button"
              key={each}
              role="tab"
              class={`ptab${each === path ? ' on' : ''}`}
              aria-selected={each === path}
              onClick={() => setChosen(each)}
            >
              {each}
              <span class="tag">{ownersOf(each, a, b)}</span>
            </button>
          ))}
        </div>
        <span class="grow" />
        <Button size="small" look="quiet" onClick={swap}>
          <Icon name="swap" size="small" />
          Swap
        </Button>
      </div>
      <div class="dd">
        <Side
          letter="A"
          path={path}
          file={a.shown.files.find((file) => file.path === path)}
          other={b.shown.files.find((file) => file.path === path)}
        />
        <Side
          letter="B"
          path={path}
          file={b.shown.files.find((file) => file.path === path)}
          other={a.shown.files.find((file) => file.path === path)}
        />
      </div>
    </section>
  );
}

function ownersOf(path: string, a: WatchedWhatIf, b: WatchedWhatIf): string {
  const owners = [a, b].map(({ shown }, index) =>
    shown.files.some((file) => file.path === path) ? 'AB'.charAt(index) : '',
  );
  return owners.filter(Boolean).join(' and ');
}

function Head({
  store,
  watched,
  letter,
}: {
  readonly store: WhatIfStore;
  readonly watched: WatchedWhatIf;
  readonly letter: 'A' | 'B';
}): VNode {
  const { shown } = watched;
  const rank = store.ranks.value.find(({ id }) => id === shown.row.id);
  return (
    <div class="hd">
      <div class="row">
        <span class={`ab${letter === 'A' ? '' : ' o'}`}>{letter}</span>
        <h2 class="strong cut">{shown.row.title}</h2>
        <span class="grow" />
        {rank ? (
          <span
            class={`tag${rank.rank === 1 ? ' best' : ''}`}
            title={rank.reason}
          >{`Ranks ${rankWord(rank.rank)}: ${rank.reason}`}</span>
        ) : null}
      </div>
      <div class="row">
        <Actions store={store} shown={shown} letter={letter} />
      </div>
    </div>
  );
}

/** A file that only the other one touches shows the disk's text. */
function Side(props: {
  readonly letter: 'A' | 'B';
  readonly path: string;
  readonly file: WhatIfFile | undefined;
  readonly other: WhatIfFile | undefined;
}): VNode {
  const { letter, path, file, other } = props;
  const disk = other?.texts?.before ?? '';
  return (
    <div>
      <div class="dh">
        <span class={`ab${letter === 'A' ? '' : ' o'}`}>{letter}</span>
        <span class="cut">
          {file
            ? `${nameOf(path)} against disk, +${file.added} −${file.removed}`
            : `${nameOf(path)} as on disk`}
        </span>
      </div>
      {file ? (
        <DiffLines file={file} />
      ) : (
        <div class="code diff">
          {disk.split('\n').map((text, index) => (
            <div class="ln" key={`${index + 1}`}>
              <span class="g n">{index + 1}</span>
              <span class="sg"> </span>
              <span class="t">{text}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

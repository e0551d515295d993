/** One what-if: its facts, then its files. */
import type { VNode } from 'preact';
import type { Page } from '../shell/page.ts';
import { DiffLines } from './diff-lines.tsx';
import { useWhatIf } from './use-what-if.ts';
import { Actions, factLabels, facts } from './what-if-facts.tsx';
import type { WhatIfStore } from './what-if-store.ts';

export function WhatIfTab({
  page,
  store,
  id,
}: {
  readonly page: Page;
  readonly store: WhatIfStore;
  readonly id: string;
}): VNode {
  const watched = useWhatIf(page, store, id);
  if (watched === 'gone') {
    return (
      <div class="emp">
        <b>This what-if no longer exists</b>
        <span class="muted">It was committed or discarded.</span>
      </div>
    );
  }
  if (watched === undefined) return <div class="emp muted">Reading the change.</div>;
  const { shown, evaluation } = watched;
  const values = facts({ page, shown, evaluation });
  return (
    <section class="what-if-page" aria-label={shown.row.title}>
      <header class="what-if-head">
        <h1 class="cut">{shown.row.title}</h1>
        <div class="row">
          <Actions store={store} shown={shown} />
        </div>
      </header>
      <dl class="facts">
        {factLabels.map((label, index) => (
          <div key={label}>
            <dt class="lb">{label}</dt>
            <dd>{values[index]}</dd>
          </div>
        ))}
      </dl>
      {shown.files.map((file) => (
        <div key={file.path} class="what-if-file">
          <div class="dh">
            <span class="mono cut">
              {file.from === undefined ? file.path : `${file.from} → ${file.path}`}
            </span>
            {file.kind === 'modified' ? null : <span class="tag">{file.kind}</span>}
            <span class="grow" />
            <span class="muted">{`+${file.added} −${file.removed}`}</span>
          </div>
          <DiffLines file={file} />
        </div>
      ))}
    </section>
  );
}

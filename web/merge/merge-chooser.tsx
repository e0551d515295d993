/** The branches, working trees and what-ifs that can be merged, with a box to check each. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { WireMergeCandidate } from '../../src/editor/protocol/merge.ts';
import type { Page } from '../shell/page.ts';
import { Button } from '../ui/button.tsx';
import type { MergeStore } from './merge-store.ts';
import { candidateDetail, sideTitle } from './merge-text.ts';

/** As many as there are letters. */
const mostSides = 26;

/** More are found by typing. */
const drawnCandidates = 100;

export function MergeChooser({ page, store }: { readonly page: Page; readonly store: MergeStore }): VNode {
  const [filter, setFilter] = useState('');
  const isOnline = page.link.state.value.kind === 'online';
  const status = page.branch.value;
  useEffect(() => {
    if (!isOnline) return undefined;
    const abort = new AbortController();
    page.run(() => store.readCandidates(abort.signal));
    return () => abort.abort();
  }, [page, store, isOnline, status]);
  const candidates = store.candidates.value;
  if (candidates === undefined) return <div class="emp muted">Reading the branches.</div>;
  if (candidates === 'no-repository') {
    return (
      <div class="emp">
        <b>No git repository here</b>
        <span class="muted">Merges need one.</span>
      </div>
    );
  }
  if (candidates.length < 2) {
    return (
      <div class="emp">
        <b>Nothing to merge</b>
        <span class="muted">
          Two branches, working trees or what-ifs besides the current one show what they do together.
        </span>
      </div>
    );
  }
  const wanted = filter.toLowerCase();
  const found = candidates.filter((each) => sideTitle(each).toLowerCase().includes(wanted));
  const count = store.chosen.value.length;
  return (
    <section class="merge-chooser" aria-label="Choose branches">
      <div class="row">
        <h2>{`Merge into ${store.onto.value}`}</h2>
        <span class="muted sm grow">
          Choose branches, working trees and what-ifs to see what they do together.
        </span>
        <Button look="primary" isDisabled={count < 2 || count > mostSides} onClick={() => store.start()}>
          {count < 2 ? 'Check merges' : `Check ${count} together`}
        </Button>
      </div>
      {candidates.length > 8 && (
        <input
          class="merge-filter"
          aria-label="Filter branches"
          placeholder="Filter"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      )}
      <ul class="merge-candidates">
        {found.slice(0, drawnCandidates).map((candidate) => (
          <CandidateRow key={`${candidate.kind} ${candidate.name}`} store={store} candidate={candidate} />
        ))}
      </ul>
    </section>
  );
}

function CandidateRow(props: { readonly store: MergeStore; readonly candidate: WireMergeCandidate }): VNode {
  const { store, candidate } = props;
  const { name } = candidate;
  return (
    <li>
      <label class="merge-candidate" title={sideTitle(candidate)}>
        <input
          type="checkbox"
          class="check"
          checked={store.chosen.value.includes(name)}
          onChange={() => store.toggle(name)}
        />
        <span class="cut medium">{sideTitle(candidate)}</span>
        <span class="cut muted sm">{candidateDetail(candidate)}</span>
      </label>
    </li>
  );
}

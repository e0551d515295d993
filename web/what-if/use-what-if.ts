/** A what-if as a tab shows it: read again when its row changes, and measured on the files as they are now. */
import { useEffect, useState } from 'preact/hooks';
import type { WireEvaluation } from '../../src/editor/protocol/evaluation.ts';
import type { Page } from '../shell/page.ts';
import type { ShownWhatIf } from './what-if-facts.tsx';
import type { WhatIfStore } from './what-if-store.ts';

export interface WatchedWhatIf {
  readonly shown: ShownWhatIf;
  readonly evaluation: WireEvaluation | undefined;
}

export function useWhatIf(page: Page, store: WhatIfStore, id: string): WatchedWhatIf | 'gone' | undefined {
  const [watched, setWatched] = useState<WatchedWhatIf | undefined>(undefined);
  const row = store.row(id);
  const isOpen = row !== undefined && row.group !== 'committed' && row.status.kind !== 'base-changed';
  const revision = row && `${row.status.kind} ${row.group} ${row.files.join()} ${row.added} ${row.removed}`;
  useEffect(() => {
    if (revision === undefined) return undefined;
    const abort = new AbortController();
    page.run(async () => {
      const shown = await page.link.request('whatif.show', { id }, abort.signal);
      setWatched({ shown, evaluation: shown.evaluation });
      if (!isOpen || shown.evaluation) return;
      const evaluation = await page.link.request('whatif.check', { id }, abort.signal);
      setWatched({ shown, evaluation });
    });
    return () => abort.abort();
  }, [page, id, isOpen, revision]);
  if (row === undefined) return 'gone';
  return watched && { ...watched, shown: { ...watched.shown, row: { ...watched.shown.row, ...row } } };
}

/**
 * A file that is too large for a buffer, read only, a part at a time.
 *
 * Invariant: no more of the file is in the page than the part that is shown.
 */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ResultOf } from '../../src/editor/protocol.ts';
import type { Page } from '../shell/page.ts';
import { Button } from '../ui/button.tsx';
import { byteSize } from './byte-size.ts';

const partBytes = 262_144;

export function LargeText({ page, path }: { readonly page: Page; readonly path: string }): VNode {
  const [offset, setOffset] = useState(0);
  const [part, setPart] = useState<ResultOf<'file.read'> | undefined>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    page.run(async () =>
      setPart(await page.link.request('file.read', { path, offset, bytes: partBytes }, abort.signal)),
    );
    return () => abort.abort();
  }, [page, path, offset]);
  const next = part?.next;
  return (
    <section class="large-text" aria-label="Part of a large file">
      <div class="note caution">
        <span class="grow">
          {`Read only, and not checked. Shown from ${byteSize(offset)} on${part === undefined ? '' : `, of ${byteSize(part.total)}`}.`}
        </span>
        <Button size="small" isDisabled={offset === 0} onClick={() => setOffset(0)}>
          From the start
        </Button>
        <Button
          size="small"
          isDisabled={next === undefined}
          onClick={() => next !== undefined && setOffset(next)}
        >
          Next part
        </Button>
      </div>
      <pre class="large-part" tabIndex={0} aria-label="Text">
        {part?.text ?? ''}
      </pre>
    </section>
  );
}

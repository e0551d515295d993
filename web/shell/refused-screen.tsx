/** What is left of the page when the back end no longer takes it. */
import type { VNode } from 'preact';
import { Button } from '../ui/button.tsx';

export function RefusedScreen({ kind }: { readonly kind: 'refused' | 'outdated' }): VNode {
  return (
    <main class="refused" data-link={kind}>
      {kind === 'refused' ? (
        <>
          <h1>This page is no longer valid.</h1>
          <p class="muted">
            Run <code class="mono">forerun edit</code> again and open the address it prints.
          </p>
        </>
      ) : (
        <>
          <h1>The editor was updated.</h1>
          <p class="muted">This page belongs to the version before.</p>
          <Button look="primary" onClick={() => location.reload()}>
            Load it again
          </Button>
        </>
      )}
    </main>
  );
}

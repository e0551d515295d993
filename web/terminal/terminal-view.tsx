/** The terminal that is shown, or why there is none. */
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { stepFocus } from '../shell/focus-step.ts';
import { askFocus } from '../shell/late-focus.ts';
import type { Page } from '../shell/page.ts';
import { Button, IconButton } from '../ui/button.tsx';
import type { TerminalScreen } from './terminal-screen.ts';
import type { TerminalStore } from './terminal-store.ts';

interface TerminalViewProps {
  readonly page: Page;
  readonly store: TerminalStore;
}

export function TerminalView({ page, store }: TerminalViewProps): VNode {
  const shown = store.shown.value;
  if (store.problem.value !== '')
    return (
      <div class="emp" role="alert">
        <span class="strong">No terminal</span>
        <p>{store.problem.value}</p>
        <Button size="small" onClick={() => store.open()}>
          Try again
        </Button>
      </div>
    );
  if (shown === undefined) {
    return (
      <div class="emp">
        <span class="strong">No terminal is open</span>
        <p>A terminal runs your own shell on the real files.</p>
        <Button size="small" onClick={() => store.open()}>
          Open a terminal
        </Button>
      </div>
    );
  }
  return (
    <div class="terminals">
      <Screen key={shown.id} page={page} id={shown.id} />
      {store.all.value.length > 1 && <TerminalList store={store} shown={shown.id} />}
      {shown.exitCode !== undefined && (
        <p class="terminal-ended" role="status">{`The shell has ended with code ${shown.exitCode}.`}</p>
      )}
    </div>
  );
}

export function TerminalHead({ store }: { readonly store: TerminalStore }): VNode {
  const shown = store.shown.value;
  return (
    <>
      <span class="tag">real files</span>
      <IconButton icon="plus" label="New terminal" size="small" onClick={() => store.open()} />
      {shown !== undefined && (
        <IconButton
          icon="stop"
          label="End this terminal"
          size="small"
          onClick={() => store.close(shown.id)}
        />
      )}
    </>
  );
}

function TerminalList({ store, shown }: { readonly store: TerminalStore; readonly shown: string }): VNode {
  return (
    <div
      class="terminal-list"
      role="tablist"
      aria-label="Terminals"
      aria-orientation="vertical"
      onKeyDown={(event) => stepFocus(event, 'vertical')}
    >
      {store.all.value.map(({ id, title, exitCode }) => (
        <button
          key={id}
          type="button"
          role="tab"
          class={`it${id === shown ? ' on' : ''}`}
          aria-selected={id === shown}
          tabIndex={id === shown ? 0 : -1}
          onClick={() => store.choose(id)}
        >
          {`${title} ${id.replace(/\D+/, '')}${exitCode === undefined ? '' : ', ended'}`}
        </button>
      ))}
    </div>
  );
}

function Screen({ page, id }: { readonly page: Page; readonly id: string }): VNode {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    let [screen, isGone]: [TerminalScreen | undefined, boolean] = [undefined, false];
    const takeFocus = askFocus();
    page.run(async () => {
      const { showTerminal } = await import('./terminal-screen.ts');
      if (isGone || host.current === null) return;
      const made = showTerminal(page, host.current, id);
      screen = made;
      takeFocus(() => made.focus());
    });
    return () => {
      isGone = true;
      screen?.dispose();
    };
  }, [page, id]);
  return <div class="terminal-screen" ref={host} data-terminal={id} />;
}

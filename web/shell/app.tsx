/**
 * The shell: top bar, rail, left panel, editor area, bottom panel, agent panel and status bar.
 *
 * Invariant: nothing here moves by itself. Panels open by a key, a click or a command.
 */
import { useSignalEffect } from '@preact/signals';
import { Fragment, type VNode } from 'preact';
import { BottomPanel } from './bottom-panel.tsx';
import { DialogLayer } from './dialog-layer.tsx';
import { EditorArea } from './editor-area.tsx';
import type { KeyDispatcher } from './key-dispatcher.ts';
import { type PanelSide, panelBounds } from './layout-store.ts';
import { LeftPanel } from './left-panel.tsx';
import type { Page } from './page.ts';
import { Palette } from './palette.tsx';
import { PendingKeyList } from './pending-key-list.tsx';
import { Rail } from './rail.tsx';
import { RefusedScreen } from './refused-screen.tsx';
import { RightPanel } from './right-panel.tsx';
import { StatusBar } from './status-bar.tsx';
import { ToastLayer } from './toast-layer.tsx';
import { TopBar } from './top-bar.tsx';

export function App({ page, keys }: { readonly page: Page; readonly keys: KeyDispatcher }): VNode {
  useSignalEffect(() => applySizes(page));
  const { kind } = page.link.state.value;
  if (kind === 'refused' || kind === 'outdated') return <RefusedScreen kind={kind} />;
  return (
    <>
      <div
        class="app"
        data-link={kind}
        data-ready={page.workspace.value !== undefined}
        data-over={page.layout.over.value}
      >
        <TopBar page={page} />
        <Rail page={page} />
        <LeftPanel page={page} />
        <main class="mid" aria-label="Editor">
          <EditorArea page={page} />
          <BottomPanel page={page} />
        </main>
        <RightPanel page={page} />
        <StatusBar page={page} />
      </div>
      {page.parts.value.map((part, index) => (
        <Fragment key={index}>{part.floating?.() ?? null}</Fragment>
      ))}
      <ToastLayer toasts={page.toasts} />
      <PendingKeyList pending={keys.pending} />
      <Palette page={page} />
      <DialogLayer dialogs={page.dialogs} />
    </>
  );
}

const sides: readonly PanelSide[] = ['left', 'right', 'bottom'];

function applySizes(page: Page): void {
  const sizes = page.layout.sizes.value;
  const { style } = document.documentElement;
  for (const side of sides) {
    const size = sizes[side];
    if (size === undefined) style.removeProperty(panelBounds[side].property);
    else style.setProperty(panelBounds[side].property, `${size}px`);
  }
}

/** The workspace, the field that opens palette and quick open, and the switches of the panels. */
import type { VNode } from 'preact';
import { IconButton, Keys } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Page } from './page.ts';

export function TopBar({ page }: { readonly page: Page }): VNode {
  const { layout } = page;
  const shown = (isShown: boolean): string => (isShown ? 'shown' : 'hidden');
  const isLeft = layout.isShown('left');
  const isBottom = layout.isShown('bottom');
  const isRight = layout.isShown('right');
  const branch = page.branch.value;
  return (
    <header class="top" data-region="top">
      <div class="row">
        <span class="brand">
          <Icon name="whatIf" size="large" label="Forerun" />
        </span>
        <span class="strong cut" title={page.workspace.value?.root}>
          {page.workspace.value?.name ?? ''}
        </span>
        {branch !== undefined && (
          <span class="row muted sm top-branch">
            <Icon name="branch" size="small" />
            <span class="cut">{branch}</span>
          </span>
        )}
      </div>
      <button type="button" class="omni" onClick={() => page.commands.run('go.file')}>
        <Icon name="search" size="small" />
        <span class="grow cut">Go to file, symbol or command</span>
        <Keys keys={page.commands.keysOf('go.file')} />
      </button>
      <div class="row end">
        <IconButton
          icon="leftPanel"
          label={`Left panel, ${shown(isLeft)}`}
          onClick={() => layout.toggle('left')}
        />
        <IconButton
          icon="bottomPanel"
          label={`Bottom panel, ${shown(isBottom)}`}
          onClick={() => layout.toggle('bottom')}
        />
        <IconButton
          icon="rightPanel"
          label={`Agent panel, ${shown(isRight)}`}
          onClick={() => layout.toggle('right')}
        />
      </div>
    </header>
  );
}

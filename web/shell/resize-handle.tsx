/** The edge of a panel: dragged, stepped by arrow keys, reset by a double click. */
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { type LayoutStore, type PanelSide, panelBounds } from './layout-store.ts';

const stepPixels = 16;

export interface ResizeHandleProps {
  readonly layout: LayoutStore;
  readonly side: PanelSide;
  readonly label: string;
}

export function ResizeHandle({ layout, side, label }: ResizeHandleProps): VNode {
  const handle = useRef<HTMLDivElement>(null);
  const panelSize = (): number => {
    const panel = handle.current?.parentElement?.getBoundingClientRect();
    return (side === 'bottom' ? panel?.height : panel?.width) ?? panelBounds[side].least;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[side][event.key];
    if (step === undefined) return;
    event.preventDefault();
    layout.resize(side, panelSize() + step * stepPixels);
  };
  const onPointerDown = (event: PointerEvent): void => {
    event.preventDefault();
    handle.current?.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const panel = handle.current?.parentElement;
    if (handle.current?.hasPointerCapture(event.pointerId) !== true || panel == null) return;
    const { left, right, bottom } = panel.getBoundingClientRect();
    const size = { left: event.clientX - left, right: right - event.clientX, bottom: bottom - event.clientY };
    layout.resize(side, size[side]);
  };
  const { least, most } = panelBounds[side];
  return (
    <div
      ref={handle}
      class={`resize resize-${side}`}
      role="separator"
      aria-label={label}
      aria-orientation={side === 'bottom' ? 'horizontal' : 'vertical'}
      aria-valuenow={Math.round(layout.sizes.value[side] ?? least)}
      aria-valuemin={least}
      aria-valuemax={most}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onDblClick={() => layout.resetSize(side)}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
    />
  );
}

/** Which way an arrow key moves the edge, as growth of the panel. */
const steps: Readonly<Record<PanelSide, Readonly<Record<string, number>>>> = {
  left: { ArrowRight: 1, ArrowLeft: -1 },
  right: { ArrowLeft: 1, ArrowRight: -1 },
  bottom: { ArrowUp: 1, ArrowDown: -1 },
};

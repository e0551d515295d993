/** The open buffers and the focus, as the panes that the agent knows. */
import type { BufferFeature } from '../buffer-feature.ts';
import type { Buffers } from '../buffers.ts';
import type { Panes } from './panes.ts';

export function bufferPanes(buffers: Buffers, pages: Pick<BufferFeature, 'focus'>): Panes {
  return {
    open: () =>
      buffers.all.map((buffer) => {
        const { path, isUnsaved } = buffer;
        return { path, isUnsaved, language: buffers.stateOf(buffer).language };
      }),
    focus: () => {
      const { focus } = pages;
      return focus && { path: focus.path, anchor: focus.anchor ?? focus.head ?? 0, head: focus.head ?? 0 };
    },
  };
}

/** Says that a file is shown without colours because of a very long line. */
import type { VNode } from 'preact';
import type { BufferDocument } from './buffer-document.ts';
import { longLine } from './long-line.ts';

export function LongLineNote({ document }: { readonly document: BufferDocument }): VNode | null {
  const line = longLine(document.state.doc);
  if (line === undefined) return null;
  return (
    <div class="note caution" role="status" data-note="long-line">
      {`Line ${line.number} has ${line.length.toLocaleString('en')} characters. Colours are off in this file.`}
    </div>
  );
}

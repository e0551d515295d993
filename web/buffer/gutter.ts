/**
 * The gutter of the text: verdict, number, change bar, in this order.
 *
 * Parts put marks into the first and the last by the facets here.
 */

import type { Extension } from '@codemirror/state';
import { Facet, type RangeSet } from '@codemirror/state';
import { type EditorView, GutterMarker, gutter, lineNumbers } from '@codemirror/view';

export type GutterMarks = RangeSet<GutterMarker>;

/** Marks of lines whose change matters elsewhere, such as the cause of a break. */
export const verdictMarks: Facet<(view: EditorView) => GutterMarks> = Facet.define();

/** Bars of lines that differ from the last commit. */
export const changeMarks: Facet<(view: EditorView) => GutterMarks> = Facet.define();

/** Keeps the verdict gutter as wide as its icons while it is empty. */
class Spacer extends GutterMarker {
  override toDOM(): Node {
    return document.createElement('span');
  }
}

export function textGutters(): Extension {
  return [
    gutter({
      class: 'cm-verdictGutter',
      markers: (view) => view.state.facet(verdictMarks).map((marks) => marks(view)),
      initialSpacer: () => new Spacer(),
    }),
    lineNumbers(),
    gutter({
      class: 'cm-changeGutter',
      markers: (view) => view.state.facet(changeMarks).map((marks) => marks(view)),
      initialSpacer: () => new Spacer(),
    }),
  ];
}

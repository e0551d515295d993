/**
 * One editor for the cases of a file: its language servers start once.
 *
 * Invariant: each case begins with the files, the layout and a browser as in the beginning, and without buffers; what it
 * leaves behind is taken away before the next.
 */
import { afterAll, expect } from 'vitest';
import { replaceFiles } from '../../support/directory-files.ts';
import type { EditorWorld } from '../../support/editor-world.ts';
import { until } from '../../support/until.ts';
import { calm } from '../../support/world.ts';
import { ShownEditor, type ShownEditorOptions } from './shown-editor.ts';

export function sharedEditor(
  options: ShownEditorOptions & { readonly files: NonNullable<ShownEditorOptions['files']> },
): () => Promise<ShownEditor> {
  let world: EditorWorld | undefined;
  afterAll(() => world?.[Symbol.asyncDispose]());
  return async () => {
    if (world) await restore(world, options.files);
    world ??= await ShownEditor.openWorld(options);
    return ShownEditor.show(world, options);
  };
}

async function restore({ editor, scratch }: EditorWorld, files: ShownEditorOptions['files']): Promise<void> {
  const { buffers, context, pages } = editor;
  await until(() => expect(pages.connected).toEqual([]));
  for (const { path } of buffers.all) buffers.forget(path);
  await replaceFiles(scratch.workspace.root, files ?? {});
  await context.live.syncWithDisk(calm);
  await editor.handler('setting.setLayout')?.({ layout: '{}' }, { page: 'test' }, calm);
}

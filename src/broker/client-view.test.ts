import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { ClientView } from './client-view.ts';

test('a view is a value: what was taken once is not altered, and nothing new is the same view', async () => {
  await using scratch = await ScratchWorkspace.create();
  const { workspace } = scratch;
  const view = new ClientView(workspace, () => 'utf-16');
  const uri = workspace.uri(workspace.path('a.ts'));
  const empty = view.current;
  expect(view.current).toBe(empty);
  view.receive('textDocument/didOpen', { textDocument: { uri, version: 4, text: 'one' } });
  const opened = view.current;
  expect([...empty.effect]).toEqual([]);
  expect([...opened.effect]).toEqual([['a.ts', { kind: 'text', text: 'one' }]]);
  view.receive('textDocument/didChange', {
    textDocument: { uri, version: 5 },
    contentChanges: [{ text: 'two' }],
  });
  expect([...opened.effect]).toEqual([['a.ts', { kind: 'text', text: 'one' }]]);
  expect([...view.current.effect]).toEqual([['a.ts', { kind: 'text', text: 'two' }]]);
  expect(view.current.documents).toEqual([{ uri, version: 5, text: 'two' }]);
  const before = view.current;
  view.receive('initialized', {});
  view.receiveFiles([{ path: workspace.path('a.ts'), kind: 'changed' }], () => true);
  expect(view.current).toBe(before);
});

test('a file the client calls gone though it is there is hidden from its questions until it comes back', async () => {
  await using scratch = await ScratchWorkspace.create();
  const { workspace } = scratch;
  const view = new ClientView(workspace, () => 'utf-16');
  const [here, gone] = [workspace.path('here.ts'), workspace.path('gone.ts')];
  const isThere = (path: string) => path === here;
  const deleted = [here, gone].map((path) => ({ path, kind: 'deleted' as const }));
  view.receiveFiles(deleted, isThere);
  expect([...view.current.effect]).toEqual([[here, 'removed']]);
  view.receiveFiles([{ path: here, kind: 'created' }], isThere);
  expect([...view.current.effect]).toEqual([]);
});

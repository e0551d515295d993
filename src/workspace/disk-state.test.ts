import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ScratchWorkspace } from '../../test/support/scratch-workspace.ts';
import { DiskState } from './disk-state.ts';
import type { WorkspacePath } from './workspace-path.ts';

/** A state of the disk with one file, and the events that it passes on. */
async function watched() {
  const scratch = await ScratchWorkspace.create({ 'a.ts': 'old' });
  const disk = new DiskState(scratch.workspace);
  const passed: string[] = [];
  disk.changes.subscribe((events) => passed.push(...events.map(({ path, kind }) => `${kind} ${path}`)));
  const path = scratch.workspace.path('a.ts');
  return {
    disk,
    path,
    passed,
    save: (text: string) => writeFileSync(scratch.at('a.ts'), text),
    report: () => disk.report([{ path, kind: 'changed' }]),
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

test('a change is passed on although the file was looked at first after it, before its report', async () => {
  await using file = await watched();
  file.save('new');
  expect(await file.disk.text(file.path)).toBe('new');
  file.report();
  expect(file.passed).toEqual(['changed a.ts']);
  expect(file.disk.epoch).toBe(2);
  expect(await file.disk.text(file.path)).toBe('new');
});

test('a change that was passed on is not passed on again, whenever the file is looked at', async () => {
  await using file = await watched();
  file.save('new');
  file.report();
  file.report();
  expect(await file.disk.text(file.path)).toBe('new');
  file.report();
  file.disk.refresh();
  expect(file.passed).toEqual(['changed a.ts']);
  file.save('newer');
  file.disk.refresh();
  file.report();
  expect(file.passed).toEqual(['changed a.ts', 'changed a.ts']);
});

test('a change of a file is reported under each name that links give it', async () => {
  await using scratch = await ScratchWorkspace.create({ 'real/a.ts': '', 'src/b.ts': '' });
  symlinkSync('../real', scratch.at('src/linked'));
  symlinkSync('../real/a.ts', scratch.at('src/link.ts'));
  const { workspace } = scratch;
  const disk = new DiskState(workspace);
  const links = new Set(['src/linked', 'src/link.ts'].map((path) => workspace.path(path)));
  disk.linksAre(links);
  const reported: string[] = [];
  disk.changes.subscribe((events) => reported.push(...events.map(({ path, kind }) => `${kind} ${path}`)));
  disk.report([{ path: workspace.path('real/a.ts'), kind: 'changed' }]);
  expect(reported).toEqual(['changed real/a.ts', 'changed src/link.ts', 'changed src/linked/a.ts']);
});

test('a link to a directory that comes or goes is a loss of sight, as no file below it is reported', async () => {
  await using scratch = await ScratchWorkspace.create({ 'real/a.ts': '' });
  const { workspace } = scratch;
  const disk = new DiskState(workspace);
  const links = new Set<WorkspacePath>();
  disk.linksAre(links);
  const reported: number[] = [];
  disk.changes.subscribe((events) => reported.push(events.length));
  const link = workspace.path('linked');
  symlinkSync('real', scratch.at('linked'));
  links.add(link);
  disk.report([{ path: link, kind: 'created' }]);
  expect((await disk.linkNames())?.of(workspace.path('real/a.ts'))).toEqual(['linked/a.ts']);
  rmSync(scratch.at('linked'));
  links.delete(link);
  disk.report([{ path: link, kind: 'deleted' }]);
  expect(await disk.linkNames()).toBeUndefined();
  expect(reported).toEqual([0, 0]);
});

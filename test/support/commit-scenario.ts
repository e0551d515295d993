import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { editText, moveFile, Overlay } from '../../src/overlay/overlay.ts';
import { Baseline } from '../../src/workspace/baseline.ts';
import { DiskSource } from '../../src/workspace/disk-source.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';

/** A small tree with one file of every sort that a commit treats in its own way. */
export async function writeScenarioTree(root: string): Promise<void> {
  const files: Record<string, string | Uint8Array> = {
    'src/changed.ts': 'export const a = 1;\n',
    'src/windows.txt': '\uFEFFone\r\ntwo\r\nno newline at the end',
    'src/old-name.ts': 'export const name = 1;\n',
    'only/child.txt': 'the last file of its directory\n',
    'becomes-directory': 'a file\n',
    'becomes-file/inside.txt': 'inside\n',
    'bin/run.sh': '#!/bin/sh\n',
    'image.bin': new Uint8Array([0, 255, 1, 254]),
    'untouched.txt': 'stays\n',
  };
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  await chmod(join(root, 'bin/run.sh'), 0o755);
  await symlink('changed.ts', join(root, 'src/link.ts'));
}

/** The changes that the crash test makes to that tree. */
export async function scenarioOverlay(workspace: Workspace): Promise<Overlay> {
  const path = (relative: string) => workspace.path(relative);
  let overlay = Overlay.on(new Baseline(new DiskSource(workspace)));
  overlay = await editText(overlay, path('src/changed.ts'), (text) => text.replace('1', '2'));
  overlay = await editText(overlay, path('src/windows.txt'), (text) => text.replace('two', 'three'));
  overlay = await editText(overlay, path('bin/run.sh'), (text) => `${text}exit 0\n`);
  overlay = await moveFile(overlay, path('src/old-name.ts'), path('src/deep/new-name.ts'));
  return overlay
    .remove(path('only/child.txt'))
    .remove(path('becomes-directory'))
    .remove(path('becomes-file/inside.txt'))
    .write(path('becomes-directory/now.txt'), { kind: 'text', text: 'below\n' })
    .write(path('becomes-file'), { kind: 'text', text: 'a file\n' })
    .write(path('a/b/c/nested.txt'), { kind: 'text', text: 'nested\n' })
    .write(path('bin/new.sh'), { kind: 'text', text: '#!/bin/sh\n', mode: 0o755 })
    .write(path('image.bin'), { kind: 'binary', bytes: new Uint8Array([9, 0, 9]) })
    .write(path('points'), { kind: 'symlink', target: 'untouched.txt' });
}

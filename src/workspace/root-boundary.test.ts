import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RootBoundary } from './root-boundary.ts';

let scratch: string;
let boundary: RootBoundary;

beforeEach(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), 'forerun-boundary-')));
  for (const name of ['served/inner', 'served-too', 'served-not', 'elsewhere']) {
    await mkdir(join(scratch, name), { recursive: true });
  }
  await writeFile(join(scratch, 'elsewhere', 'secret'), 'secret');
  await symlink(join(scratch, 'elsewhere'), join(scratch, 'served', 'way-out'));
  await symlink(join(scratch, 'served', 'inner'), join(scratch, 'way-in'));
  await symlink('loop', join(scratch, 'served', 'loop'));
  boundary = await RootBoundary.of([join(scratch, 'served'), join(scratch, 'served-too')]);
});

afterEach(() => rm(scratch, { recursive: true, force: true }));

test.each<[string, string]>([
  ['served', 'served'],
  ['served/', 'served'],
  ['served/inner', 'served/inner'],
  ['served/inner/../../served-too', 'served-too'],
  ['way-in', 'served/inner'],
])('%s is opened', async (named, opened) => {
  expect((await boundary.open(`${scratch}/${named}`)).root).toBe(join(scratch, opened));
});

test.each<string>([
  '.',
  'served/..',
  'served/../elsewhere',
  'served-not',
  'elsewhere',
  'served/way-out',
  'served/loop',
  'not-there',
  '../../../../../..',
])('%s is refused with one code, whether it exists or not', async (named) => {
  await expect(boundary.open(`${scratch}/${named}`)).rejects.toMatchObject({
    code: 'workspace/root-not-served',
  });
});

test.each<[string, boolean]>([
  ['served/new/file.ts', true],
  ['served/way-out/secret', false],
  ['served/way-out/new', false],
  ['elsewhere/secret', false],
])('the file %s lies in a served root: %j', async (named, isServed) => {
  const asked = boundary.rootOf(`${scratch}/${named}`);
  if (isServed) expect((await asked).root).toBe(join(scratch, 'served'));
  else await expect(asked).rejects.toMatchObject({ code: 'workspace/root-not-served' });
  const byUri = boundary.rootOf(`file://${scratch}/${named}`);
  if (isServed) expect((await byUri).root).toBe(join(scratch, 'served'));
  else await expect(byUri).rejects.toMatchObject({ code: 'workspace/root-not-served' });
});

test('a root that does not exist is refused at the start', async () => {
  await expect(RootBoundary.of([join(scratch, 'not-there')])).rejects.toMatchObject({
    code: 'workspace/not-a-directory',
  });
});

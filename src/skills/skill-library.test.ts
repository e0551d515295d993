import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Log, type LogRecord } from '../base/log.ts';
import { readSkills } from './skill-library.ts';

let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'forerun-skills-'));
  const files = {
    zeta: '---\nname: zeta\n---\nz',
    alpha: '---\nname: alpha\n---\na',
    broken: '---\nname: [\n---\n',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(root, name));
    await writeFile(join(root, name, 'SKILL.md'), text);
  }
  await mkdir(join(root, 'empty'));
  await writeFile(join(root, 'README.md'), 'not a folder');
});

afterAll(() => rm(root, { recursive: true }));

async function read(
  directory: string,
): Promise<{ readonly names: readonly string[]; readonly logged: readonly unknown[] }> {
  const records: LogRecord[] = [];
  const skills = await readSkills(directory, new Log((record) => records.push(record)));
  return { names: skills.map(({ name }) => name), logged: records.map(({ fields }) => fields.code) };
}

test('skills come in the order of their names, and a bad file hides none of the others', async () => {
  const { names, logged } = await read(root);
  expect(names).toEqual(['alpha', 'zeta']);
  expect(logged).toHaveLength(2);
  expect(logged).toContain('skills/malformed');
});

test('a directory that is not there holds no skills, and that is logged', async () => {
  expect(await read(join(root, 'nowhere'))).toEqual({ names: [], logged: ['skills/unreadable'] });
});

import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServerChoice } from './mcp-arguments.ts';
import { definitionsOf, type ProgramPlaces } from './server-choice.ts';

let bin: string;
let places: ProgramPlaces;

beforeAll(async () => {
  bin = await mkdtemp(join(tmpdir(), 'forerun-choice-'));
  await writeFile(join(bin, 'present-server'), '');
  await chmod(join(bin, 'present-server'), 0o755);
  await writeFile(join(bin, 'plain-file'), '');
  places = { directories: [], env: { PATH: bin } };
});

afterAll(() => rm(bin, { recursive: true }));

const single = (program: string): ServerChoice => ({ kind: 'single', language: 'go', command: [program] });
const specs = (...named: readonly string[]): ServerChoice => ({ kind: 'specs', specs: named });

test.each<[string, () => ServerChoice]>([
  ['a path that does not exist', () => single('/nonexistent')],
  [
    'a path that does not exist among servers that do',
    () => specs('python:present-server', 'go:/nonexistent'),
  ],
  ['a file that cannot be executed', () => single(join(bin, 'plain-file'))],
  ['a directory', () => single(bin)],
  ['a name that is not on the search path', () => single('absent-server')],
  ['only names that are not on the search path', () => specs('go:absent-server', 'python:absent-too')],
])('%s is refused at start', async (_what, choice) => {
  await expect(definitionsOf(choice(), places)).rejects.toMatchObject({
    code: 'cli/server-not-found',
    message: expect.stringMatching(/^server program not found or not executable: ".+" for go/),
  });
});

test.each<[string, () => ServerChoice]>([
  ['a path', () => single(join(bin, 'present-server'))],
  ['a name on the search path', () => single('present-server')],
  ['a name beside one that is not installed', () => specs('python:present-server', 'go:absent-server')],
])('%s is taken', async (_what, choice) => {
  expect(await definitionsOf(choice(), places)).not.toEqual([]);
});

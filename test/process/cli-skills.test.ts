/** `forerun skills` as a person runs it, in a home of its own. */
import {
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { shippedSkills } from '../../src/host/shipped-skills.ts';
import type { ProgramRun } from '../support/built-program.ts';
import { runInProcess } from '../support/in-process-program.ts';

let home: string;

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'forerun-home-')));
  await mkdir(join(home, 'project'));
});

afterEach(() => rm(home, { recursive: true, force: true }));

const skills = await shippedSkills(silentLog);
const names = skills.map(({ name }) => name);

function run(...words: readonly string[]): Promise<ProgramRun> {
  return runInProcess(['skills', ...words], { cwd: join(home, 'project'), env: { HOME: home } });
}

function installed(...parts: readonly string[]): string {
  return join(home, '.claude', 'skills', ...parts);
}

test('list names every skill with what it does', async () => {
  const { code, stdout } = await run('list');
  expect(code).toBe(0);
  const lines = stdout.trim().split('\n');
  expect(lines.map((line) => line.split(/\s{2,}/)[0]?.trim())).toEqual(names);
  expect(lines.filter((line) => line.endsWith('(can be enforced)'))).toHaveLength(4);
});

describe('install', () => {
  test('links every skill, and does nothing the second time', async () => {
    expect(await run('install')).toMatchObject({ code: 0, stdout: expect.stringContaining('linked ') });
    expect((await readdir(installed())).sort()).toEqual(names);
    expect((await lstat(installed('lsp-rename'))).isSymbolicLink()).toBe(true);
    expect(await readFile(installed('lsp-rename', 'SKILL.md'), 'utf8')).toMatch(/^---\nname: lsp-rename\n/);
    const second = await run('install');
    expect(second.code).toBe(0);
    expect(second.stdout).not.toMatch(/linked|copied/);
  });

  test('copies where copies are asked for, into the folder that is named', async () => {
    expect((await run('install', '--copy', '--dest', 'own')).code).toBe(0);
    const copy = await lstat(join(home, 'project', 'own', 'lsp-rename'));
    expect(copy.isDirectory()).toBe(true);
    expect((await run('install', '--copy', '--dest', 'own')).stdout).not.toMatch(/copied/);
  });

  test('a dry run says what it would do and does none of it', async () => {
    await writeFile(join(home, 'project', 'CLAUDE.md'), '# Mine\n');
    const { code, stdout } = await run('install', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain(`would have linked ${installed('lsp-rename')}`);
    expect(stdout).toContain('+<!-- forerun:skills:start -->');
    expect((await readdir(home)).sort()).toEqual(['project']);
    expect(await readFile(join(home, 'project', 'CLAUDE.md'), 'utf8')).toBe('# Mine\n');
  });

  test("somebody else's skill of the same name stays, unless it is to be replaced", async () => {
    await mkdir(installed('lsp-docs'), { recursive: true });
    await writeFile(installed('lsp-docs', 'SKILL.md'), 'mine');
    const careful = await run('install');
    expect(careful.code).toBe(1);
    expect(careful.stdout).toContain(`skipped ${installed('lsp-docs')}`);
    expect(await readFile(installed('lsp-docs', 'SKILL.md'), 'utf8')).toBe('mine');
    expect((await run('install', '--force')).code).toBe(0);
    expect(await readFile(installed('lsp-docs', 'SKILL.md'), 'utf8')).toMatch(/^---\n/);
  });

  test('a link that leads nowhere, and a copy that may become a link, are replaced', async () => {
    await mkdir(installed(), { recursive: true });
    await symlink(join(home, 'gone'), installed('lsp-docs'));
    const source = skills.find(({ name }) => name === 'lsp-verify')?.directory ?? '';
    await cp(source, installed('lsp-verify'), { recursive: true });
    expect((await run('install')).code).toBe(0);
    for (const name of ['lsp-docs', 'lsp-verify']) {
      expect(await realpath(installed(name))).toBe(await realpath(join(source, '..', name)));
    }
  });

  test('rules files that exist get one table between the comments, and nothing else changes', async () => {
    const claude = join(home, 'project', 'CLAUDE.md');
    const agents = join(home, 'project', 'AGENTS.md');
    await writeFile(claude, '# Mine\r\n\r\nkeep\r\n');
    await writeFile(agents, 'a\n<!-- forerun:skills:start -->\nstale\n<!-- forerun:skills:end -->\nz\n');
    await run('install');
    const [written, replaced] = await Promise.all([claude, agents].map((file) => readFile(file, 'utf8')));
    expect(written).toMatch(
      /^# Mine\r\n\r\nkeep\r\n\r\n<!-- forerun:skills:start -->\r\n[\s\S]*\| `lsp-rename` \|/,
    );
    expect(replaced).toMatch(
      /^a\n<!-- forerun:skills:start -->\n## [\s\S]*<!-- forerun:skills:end -->\nz\n$/,
    );
    expect(replaced).not.toContain('stale');
    expect((await readdir(join(home, 'project'))).sort()).toEqual(['AGENTS.md', 'CLAUDE.md']);
    const second = await run('install');
    expect(second.stdout).not.toContain('updated the table');
    expect(await readFile(claude, 'utf8')).toBe(written);
  });

  test('comments that do not pair stop everything before the first change', async () => {
    await writeFile(join(home, 'project', 'GEMINI.md'), '<!-- forerun:skills:start -->\n');
    const { code, stderr } = await run('install');
    expect(code).toBe(2);
    expect(stderr).toContain('do not match');
    expect((await readdir(home)).sort()).toEqual(['project']);
  });
});

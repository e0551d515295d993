/** Commands that were read as readonly, run for real. */
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { Overlay } from '../../src/overlay/overlay.ts';
import { runCommand } from '../../src/process/run-command.ts';
import { probeMounts } from '../../src/sandbox/mount.ts';
import { mountWorkspace } from '../../src/sandbox/mounted-workspace.ts';
import { environmentOf } from '../../src/sandbox/readonly/command-environment.ts';
import {
  type ReadonlyRun,
  type ReadonlyRunOptions,
  runReadonlyCommand,
} from '../../src/sandbox/readonly/readonly-run.ts';
import { readShellCommand } from '../../src/shell/shell-reading.ts';
import { DiskSource } from '../../src/workspace/disk-source.ts';
import { workspacePath } from '../support/memory-source.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';
import { splicedCommand } from '../support/shell/arbitrary-text.ts';
import { benignCommands } from '../support/shell/benign-commands.ts';
import {
  comparable,
  createRepository,
  git,
  runBash,
  runRead,
  systemPath,
} from '../support/shell/looked-at-repository.ts';
import { describeTree } from '../support/tree-hash.ts';

const never = new AbortController().signal;

let scratch: ScratchWorkspace;

beforeAll(async () => {
  scratch = await createRepository();
});

afterAll(async () => {
  await scratch[Symbol.asyncDispose]();
});

function run(text: string, options: Partial<ReadonlyRunOptions> = {}, where = scratch): Promise<ReadonlyRun> {
  return runRead(text, where, options);
}

async function output(text: string, options?: Partial<ReadonlyRunOptions>): Promise<string> {
  const ran = await run(text, options);
  return ran.kind === 'ran' ? ran.stdout : `boundary ${ran.rule}`;
}

/** What the clock, the machine or another search path answers is not compared. */
const changing =
  /^(date|ps|df|which|uname|ls -la?h? *(\||&&|$)|git (config|reflog|blame))|\/proc\/|\/tmp|^ls -lt/;

describe('the benign commands', { timeout: 240_000 }, () => {
  test('print what bash prints, and leave every byte of the workspace as it was', async () => {
    const before = await describeTree(scratch.workspace.root);
    const refused: string[] = [];
    let compared = 0;
    for (const text of benignCommands) {
      if (readShellCommand(text).kind === 'boundary') continue;
      const ran = await run(text);
      if (ran.kind === 'boundary') {
        refused.push(`${ran.rule}: ${text}`);
        continue;
      }
      expect(ran.ended, text).toBe('itself');
      if (changing.test(text)) continue;
      const bash = await runBash(text, scratch);
      expect(comparable(text, ran)).toEqual(comparable(text, bash));
      compared += 1;
    }
    expect(await describeTree(scratch.workspace.root)).toEqual(before);
    expect(refused.filter((line) => !/^(program|toolchain): /.test(line))).toEqual([]);
    expect(compared).toBeGreaterThan(150);
  });
});

describe('accepted splices of known commands', { timeout: 240_000 }, () => {
  test('leave every byte of the workspace as it was, and end', async () => {
    const before = await describeTree(scratch.workspace.root);
    const texts = fc
      .sample(splicedCommand, 4000)
      .filter((text) => readShellCommand(text).kind === 'readonly');
    const some = [...new Set(texts)].slice(0, 80);
    expect(some.length).toBeGreaterThan(20);
    for (const text of some) {
      const ran = await run(text);
      expect({ text, ended: ran.kind === 'ran' ? ran.ended : 'itself' }).toEqual({ text, ended: 'itself' });
    }
    expect(await describeTree(scratch.workspace.root), some.join('\n')).toEqual(before);
  });
});

describe('limits', () => {
  test('a command past its time is ended and says so', async () => {
    const endless = "awk 'BEGIN{for (i=0;i<1;i++) i=-1}'";
    const ran = await run(endless, { timeoutMs: 300 });
    expect(ran).toMatchObject({ kind: 'ran', ended: 'timeout', code: undefined });
  });

  test('an output past its limit is cut, the command is ended, and the answer says so', async () => {
    const ran = await run('seq 1 9999999');
    expect(ran).toMatchObject({ kind: 'ran', ended: 'output-limit', code: undefined });
    expect(ran.kind === 'ran' && ran.stdout.length).toBe(256 * 1024);
  });

  test('a reader that has seen enough ends its writer', async () => {
    expect(await run('seq 1 9999999 | head -n 1')).toMatchObject({ ended: 'itself', stdout: '1\n', code: 0 });
  });

  test('the caller can give up', async () => {
    const reading = readShellCommand("awk 'BEGIN{for (i=0;i<1;i++) i=-1}'");
    if (reading.kind === 'boundary') throw new Error(reading.why);
    const caller = new AbortController();
    const { root } = scratch.workspace;
    const options = { source: new DiskSource(scratch.workspace), root, cwd: root, env: {} };
    const running = runReadonlyCommand(reading, options, caller.signal);
    setImmediate(() => caller.abort(new Error('enough')));
    await expect(running).rejects.toThrow('enough');
  });
});

describe('the environment', () => {
  test('holds no variable of the caller but language and time zone', async () => {
    const env = {
      PATH: systemPath,
      SECRET: 'x',
      NODE_OPTIONS: '--require=./x',
      HOME: '/root',
      TZ: 'UTC',
      LC_ALL: 'C',
    };
    // The only command that shows it whole is the one that is not read, so the environment itself is looked at.
    const names = Object.keys(environmentOf('awk', { env, root: scratch.workspace.root }));
    expect(names.filter((name) => /^(SECRET|NODE_OPTIONS|HOME)$/.test(name))).toEqual([]);
    expect(names).toContain('TZ');
    expect(await output('printenv HOME', { env })).toBe('/root\n');
  });

  test('a program of the project is never taken for a command', async () => {
    await using own = await ScratchWorkspace.create({
      'bin/ls': '#!/bin/sh\necho mine\n',
      'bin/rg': '#!/bin/sh\necho mine\n',
    });
    const env = { PATH: [own.at('bin'), systemPath].join(delimiter) };
    expect(await run('ls bin', { env }, own)).toMatchObject({ kind: 'ran', stdout: 'ls\nrg\n' });
  });

  test('a toolchain that is another one for the caller is not asked', async () => {
    const env = { PATH: '/nowhere' };
    expect(await run('node --version', { env })).toMatchObject({ kind: 'boundary', rule: 'toolchain' });
  });
});

describe('files', () => {
  test('patterns are expanded on the merged view', async () => {
    const overlay = Overlay.on(new DiskSource(scratch.workspace))
      .writeText(workspacePath('src/zz.ts'), 'export {};\n')
      .remove(workspacePath('src/a.ts'));
    expect(await output('echo src/*.ts', { source: overlay })).toBe('src/b.ts src/index.ts src/zz.ts\n');
  });

  test('inside a mount a command reads the overlay, its input too', async () => {
    const method = await probeMounts({ log: silentLog, env: process.env }, never);
    await using mounted = await mountWorkspace(scratch.workspace, { method, log: silentLog }, never);
    const path = workspacePath('src/zz.ts');
    await mounted.write(path, { kind: 'text', text: 'shown\n' });
    const source = Overlay.on(new DiskSource(scratch.workspace)).writeText(path, 'shown\n');
    const place = { source, root: mounted.root, cwd: mounted.root };
    const wrapCommand = (command: readonly string[], cwd: string) => mounted.wrapCommand(command, cwd);
    expect(await output('cat src/z*.ts; wc -l < src/zz.ts', { ...place, wrapCommand })).toBe('shown\n1\n');
  });

  test('a link to a device and a pipe are not read', async () => {
    await using own = await ScratchWorkspace.create({ plain: 'x' });
    await symlink('/dev/zero', own.at('endless'));
    await mkdir(own.at('dir'));
    await symlink('/proc', own.at('dir/kernel'));
    const limits = { timeoutMs: 5000, maxOutputBytes: 1000 };
    const env = { PATH: systemPath };
    await runCommand({ command: ['mkfifo', 'queue'], cwd: own.workspace.root, env, ...limits }, never);
    for (const text of [
      'cat endless',
      'cat queue',
      'wc -c < endless',
      'cat ./e*',
      'cat dir/kernel/self/environ',
      'cd dir && cat ../queue',
    ]) {
      expect({ text, ...(await run(text, {}, own)) }).toMatchObject({ text, kind: 'boundary' });
    }
  });
});

/** Each setting makes plain git run a program that leaves a mark. */
const programs: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'a file system monitor': [['core.fsmonitor', './mark']],
  'a clean filter': [
    ['filter.f.clean', './mark'],
    ['filter.f.required', 'true'],
  ],
  'a text converter': [['diff.d.textconv', './mark']],
  'a driver': [['diff.d.command', './mark']],
  'an external diff': [['diff.external', './mark']],
  'hooks elsewhere': [['core.hooksPath', 'hooks']],
  'an include': [['include.path', '../included']],
  'a signature format': [
    ['pretty.x', '%G?'],
    ['gpg.program', './mark'],
  ],
  'shown signatures': [['log.showSignature', 'true']],
  'an alias': [['alias.x', '!./mark']],
  'a pager': [['core.pager', './mark']],
  'a partial clone': [['remote.origin.promisor', 'true']],
  'attributes elsewhere': [['core.attributesFile', 'attributes']],
};

describe('git', { timeout: 120_000 }, () => {
  test.each(Object.entries(programs))('does not run where the repository names %s', async (_, settings) => {
    await using own = await createRepository();
    await writeFile(own.at('mark'), '#!/bin/sh\ntouch marked\n', { mode: 0o755 });
    await writeFile(own.at('.gitattributes'), '*.ts diff=d\n');
    for (const [key, value] of settings) await git(own, 'config', key, value);
    const before = await describeTree(own.workspace.root);
    for (const text of [
      'git status',
      'git diff',
      'git log -p -1',
      'git show HEAD',
      'git -C src blame a.ts',
      'cd src && git ls-files -m',
    ]) {
      expect(await run(text, {}, own)).toMatchObject({ kind: 'boundary', rule: 'git-configuration' });
    }
    expect(await describeTree(own.workspace.root)).toEqual(before);
  });

  test('rewrites no index and runs no hook, though the index is out of date', async () => {
    await using own = await createRepository();
    await mkdir(own.at('.git/hooks'), { recursive: true });
    await writeFile(own.at('.git/hooks/post-index-change'), '#!/bin/sh\ntouch marked\n', { mode: 0o755 });
    await utimes(own.at('README.md'), 1, 1);
    const before = await describeTree(own.workspace.root);
    for (const text of [
      'git status',
      'git diff',
      'git diff --stat HEAD',
      'git describe --tags',
      'git diff-files',
      'git stash show',
    ]) {
      expect({ text, ...(await run(text, {}, own)) }).toMatchObject({ text, kind: 'ran', code: 0 });
    }
    expect(await describeTree(own.workspace.root)).toEqual(before);
  });

  test('does not compare where a filter or a submodule has a say, but still tells the history', async () => {
    await using own = await createRepository();
    await writeFile(own.at('.gitattributes'), '*.bin filter=lfs\n');
    expect(await run('git status', {}, own)).toMatchObject({ kind: 'boundary', rule: 'git-configuration' });
    await writeFile(own.at('.gitattributes'), '*.ts text\n');
    expect(await run('git status', {}, own)).toMatchObject({ kind: 'ran', code: 0 });
    await writeFile(own.at('.gitmodules'), '[submodule "x"]\n');
    expect(await run('git status', {}, own)).toMatchObject({ kind: 'boundary', rule: 'git-configuration' });
    expect(await run('git log --oneline', {}, own)).toMatchObject({ kind: 'ran', code: 0 });
  });

  test('outside a repository it fails by itself', async () => {
    await using own = await ScratchWorkspace.create({ a: 'x' });
    expect(await run('git status', {}, own)).toMatchObject({ kind: 'ran', code: 128 });
    expect(await run('git -C nowhere status', {}, own)).toMatchObject({ kind: 'ran', code: 128 });
  });

  test('a directory dressed as a bare repository is not believed', async () => {
    await using own = await createRepository();
    await git(own, 'init', '-q', '--bare', 'dressed');
    await writeFile(
      join(own.at('dressed'), 'config'),
      '[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = ./mark\n',
    );
    const ran = await run('cd dressed && git status', {}, own);
    expect(ran.kind === 'boundary' || ran.code === 128).toBe(true);
  });
});

/** Connecting and disconnecting agents, as a user runs it: files with a life of their own, before and after. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientTargets } from '../../src/cli/setup/client-target.ts';
import { type ProgramRun, runProgram } from '../support/built-program.ts';

/** A user with a home and a project, and nothing of ours on the search path. */
class User implements AsyncDisposable {
  readonly #top: string;

  private constructor(top: string) {
    this.#top = top;
  }

  static async create(files: Readonly<Record<string, string>> = {}): Promise<User> {
    const user = new User(await realpath(await mkdtemp(join(tmpdir(), 'forerun-user-'))));
    await Promise.all(['home', 'project'].map((name) => mkdir(user.at(name))));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(user.at(path)), { recursive: true });
      await writeFile(user.at(path), text);
    }
    return user;
  }

  at(path: string): string {
    return join(this.#top, path);
  }

  read(path: string): Promise<string> {
    return readFile(this.at(path), 'utf8');
  }

  /** Every file there is, by its path from the top. */
  async files(): Promise<Readonly<Record<string, string>>> {
    const entries = await readdir(this.#top, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    const texts = await Promise.all(files.sort().map((file) => readFile(file, 'utf8')));
    return Object.fromEntries(files.map((file, index) => [relative(this.#top, file), texts[index] ?? '']));
  }

  async run(...words: readonly string[]): Promise<ProgramRun> {
    const env = {
      HOME: this.at('home'),
      XDG_CONFIG_HOME: '',
      XDG_STATE_HOME: '',
      XDG_CACHE_HOME: '',
      FORERUN_CACHE_DIR: '',
      PATH: dirname(process.execPath),
    };
    const run = await runProgram(words, { cwd: this.at('project'), env });
    const shown = (text: string) => text.replaceAll(this.#top, '').replaceAll(this.#top.slice(1), '');
    return { code: run.code, stdout: shown(run.stdout), stderr: shown(run.stderr) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#top, { recursive: true, force: true });
  }
}

const ids = clientTargets.map(({ id }) => id);

describe('init', () => {
  test('writes the entry of every client where that client looks, and its rules', async () => {
    await using user = await User.create();
    const run = await user.run('init', '--non-interactive', '--target', ...ids);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const files = await user.files();
    const configs = Object.entries(files).filter(([path]) => /\.(json|toml)$/.test(path));
    expect(configs.map(([path, text]) => `${path}\n${text}`).join('\n')).toMatchSnapshot('configurations');
    const rules = Object.entries(files).filter(([path]) => !/\.(json|toml)$/.test(path));
    expect(rules.map(([path]) => path)).toMatchSnapshot('files with rules');
    for (const [path, text] of rules)
      expect(text, path).toContain('<!-- forerun:rules:start -->\n## Forerun');
  });

  test('a second run changes nothing, and uninstall leaves nothing', async () => {
    await using user = await User.create();
    await user.run('init', '--target', ...ids);
    const once = await user.files();
    const again = await user.run('init', '--target', ...ids);
    expect(again.stdout).not.toContain('wrote');
    expect(await user.files()).toEqual(once);
    const gone = await user.run('uninstall');
    expect(gone.code).toBe(0);
    expect(gone.stdout).toMatch(/\d+ removed, \d+ skipped\. Now: npm uninstall -g forerun\n$/);
    expect(await user.files()).toEqual({});
  });

  test('without a target and without a terminal it connects Claude Code in this project', async () => {
    await using user = await User.create();
    const run = await user.run('init');
    expect(run.stdout).toBe(
      'wrote /project/.mcp.json\nwrote /project/CLAUDE.md\nClaude Code, this project: Start Claude Code here, approve the server, and see /mcp.\n',
    );
  });

  test('a program that is installed is started by its name', async () => {
    await using user = await User.create();
    await mkdir(user.at('bin'));
    await writeFile(user.at('bin/forerun'), '', { mode: 0o755 });
    const env = { HOME: user.at('home'), PATH: `${user.at('bin')}:${dirname(process.execPath)}` };
    await runProgram(['init', '--toolset', 'core'], { cwd: user.at('project'), env });
    expect(JSON.parse(await user.read('project/.mcp.json'))).toEqual({
      mcpServers: { forerun: { type: 'stdio', command: 'forerun', args: ['mcp', '--toolset', 'core'] } },
    });
  });

  test('a file of any other client is named by its path', async () => {
    await using user = await User.create();
    await user.run('init', '--path', '~/other/mcp.json');
    expect(JSON.parse(await user.read('home/other/mcp.json'))).toHaveProperty('mcpServers.forerun');
  });

  test('--dry-run shows a diff and writes nothing', async () => {
    const before = {
      'project/.mcp.json': '{\n  "mcpServers": {\n    "x": { "command": "y" } // mine\n  }\n}\n',
    };
    await using user = await User.create(before);
    const run = await user.run('init', '--dry-run');
    const [patch] = run.stdout.split('diff --git a/CLAUDE.md');
    expect(patch).toMatchInlineSnapshot(`
      "diff --git a/.mcp.json b/.mcp.json
      --- a/.mcp.json
      +++ b/.mcp.json
      @@ -1,5 +1,14 @@
       {
         "mcpServers": {
      -    "x": { "command": "y" } // mine
      +    "x": { "command": "y" }, // mine
      +    "forerun": {
      +      "type": "stdio",
      +      "command": "npx",
      +      "args": [
      +        "-y",
      +        "forerun",
      +        "mcp"
      +      ]
      +    }
         }
       }
      "
    `);
    expect(run.stdout).toContain('would write /project/CLAUDE.md\n');
    expect(await user.files()).toEqual(before);
  });
});

/** What users have in their files, and what must still be there afterwards. */
const lived: Readonly<
  Record<string, { readonly target: string; readonly path: string; readonly text: string }>
> = {
  'comments, unknown keys and a trailing comma': {
    target: 'zed',
    path: 'home/.config/zed/settings.json',
    text: '// Zed settings\n{\n  "theme": "One Dark", // dark\n  "context_servers": {\n    "other": { "command": "x", "env": { "K": "v" } },\n  },\n  "vim_mode": true,\n}\n',
  },
  'Windows line endings': {
    target: 'cursor',
    path: 'project/.cursor/mcp.json',
    text: '{\r\n\t"mcpServers": {\r\n\t\t"other": {\r\n\t\t\t"command": "x"\r\n\t\t}\r\n\t}\r\n}\r\n',
  },
  'an entry of ours with an environment': {
    target: 'gemini',
    path: 'project/.gemini/settings.json',
    text: '{\n  "selectedAuthType": "x",\n  "mcpServers": {\n    "forerun": { "command": "old", "args": ["mcp"], "env": { "LOG_LEVEL": "debug" }, "trust": true }\n  }\n}\n',
  },
  'TOML with comments': {
    target: 'codex',
    path: 'home/.codex/config.toml',
    text: 'model = "x" # the best\n\n[mcp_servers.other] # mine\ncommand = "y"\n\n# [mcp_servers.forerun]\n[profiles.a]\nmodel = "z"\n',
  },
  'rules of one’s own': {
    target: 'gemini',
    path: 'project/GEMINI.md',
    text: '# House rules\n\n<!-- forerun:rules:start -->\nstale\n<!-- forerun:rules:end -->\n\nBe kind.\n',
  },
};

describe('what a user has written stays', () => {
  test.each(Object.entries(lived))('%s', async (_what, { target, path, text }) => {
    await using user = await User.create({ [path]: text });
    expect(await user.run('init', '--target', target)).toMatchObject({ code: 0, stderr: '' });
    const after = await user.read(path);
    if (text.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(
      path.endsWith('.md') ? after.replace(/(start -->)[\s\S]*(<!-- forerun:rules:end)/, '$1…$2') : after,
    ).toMatchSnapshot();
    expect(await user.run('uninstall')).toMatchObject({ code: 0, stderr: '' });
    expect(await user.read(path)).toMatchSnapshot('and without us again');
  });

  test('a link is written through, and stays a link', async () => {
    await using user = await User.create({ 'dotfiles/AGENTS.md': '# Mine\n' });
    await symlink('../dotfiles/AGENTS.md', user.at('project/CLAUDE.md'));
    await user.run('init');
    expect(await user.read('dotfiles/AGENTS.md')).toMatch(/^# Mine\n\n<!-- forerun:rules:start -->/);
    await user.run('uninstall');
    expect(await user.files()).toEqual({ 'dotfiles/AGENTS.md': '# Mine\n' });
  });

  test('rules go into a directory of rules where there is one', async () => {
    await using user = await User.create({ 'project/.clinerules/mine.md': 'x\n' });
    await user.run('init', '--target', 'cline');
    expect(Object.keys(await user.files())).toContain('project/.clinerules/forerun.md');
  });
});

describe('what cannot be edited is named, and nothing is written', () => {
  test.each<[string, string, Readonly<Record<string, string>>, string]>([
    [
      'broken JSON',
      'claude-code',
      { 'project/.mcp.json': '{ "mcpServers": ' },
      '/project/.mcp.json cannot be read: ValueExpected at 1:17',
    ],
    [
      'broken TOML',
      'codex',
      { 'home/.codex/config.toml': 'model = \n' },
      '/home/.codex/config.toml cannot be read: ',
    ],
    [
      'servers that are a list',
      'cursor',
      { 'project/.cursor/mcp.json': '{"mcpServers":[]}' },
      '"mcpServers" is not an object',
    ],
    [
      'comments that do not pair',
      'claude-code',
      { 'project/CLAUDE.md': '<!-- forerun:rules:start -->\n' },
      'the markers of our section do not match',
    ],
    ['an unknown client', 'nonsense', {}, 'there is no client "nonsense"'],
  ])('%s', async (_what, target, files, sentence) => {
    await using user = await User.create(files);
    const run = await user.run('init', '--target', target);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(sentence);
    expect(await user.files()).toEqual(files);
  });
});

describe('uninstall', () => {
  test('--dry-run shows what would go', async () => {
    await using user = await User.create();
    await user.run('init');
    const before = await user.files();
    const run = await user.run('uninstall', '--dry-run');
    expect(run.stdout).toContain('-    "forerun": {');
    expect(run.stdout).toMatch(/would remove from \/project\/\.mcp\.json\n[\s\S]*Nothing was changed\.\n$/);
    expect(await user.files()).toEqual(before);
  });

  test('caches go, skills that a user changed do not', async () => {
    await using user = await User.create({
      'home/.cache/forerun/references/1/refs.db': 'x',
      'home/.claude/skills/lsp-rename/SKILL.md': 'my own\n',
    });
    const run = await user.run('uninstall');
    expect(run.stdout).toContain('removed /home/.cache/forerun/references\n');
    expect(run.stdout).toContain(
      'skipped /home/.claude/skills/lsp-rename (changed since it was installed)\n',
    );
    expect(Object.keys(await user.files())).toEqual(['home/.claude/skills/lsp-rename/SKILL.md']);
  });
});

describe('update', () => {
  /** An npm that answers as told. */
  async function ask(script: string): Promise<ProgramRun> {
    await using user = await User.create();
    await mkdir(user.at('bin'));
    await writeFile(user.at('bin/npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const env = { HOME: user.at('home'), PATH: `${user.at('bin')}:/usr/bin:/bin` };
    return await runProgram(['update', '--check'], { cwd: user.at('project'), env });
  }

  test.each([
    [
      'a newer version is told with the command that installs it',
      'echo 99.0.0',
      1,
      'npm install -g forerun@99.0.0',
    ],
    ['an older one is no update', 'echo 0.0.1', 0, 'This is the latest version.'],
    [
      'a registry that cannot be reached is told',
      'echo "npm error network down" >&2; exit 1',
      2,
      'network down',
    ],
  ])('%s', async (_what, script, code, sentence) => {
    const run = await ask(script);
    expect(run.stdout + run.stderr).toContain(sentence);
    expect(run.code).toBe(code);
  });

  test('without npm it says so', async () => {
    const run = await runProgram(['update'], { env: { PATH: '/nowhere' } });
    expect(run.stderr).toContain(
      'the npm registry did not answer with the latest version: npm is not installed',
    );
    expect(run.code).toBe(2);
  });
});

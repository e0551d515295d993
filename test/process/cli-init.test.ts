/** Connecting and disconnecting agents, as a user runs it: files with a life of their own, before and after. */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientTargets } from '../../src/cli/setup/client-catalogue.ts';
import { hookTargets } from '../../src/cli/setup/hook-target.ts';
import { bin, type ProgramRun, runProgram } from '../support/built-program.ts';
import { runInProcess } from '../support/in-process-program.ts';

/** Where former texts of changed files are kept. */
const backups = 'home/.local/state/forerun/setup-backups';

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

  /** Every file there is, by its path from the top; our own backups apart. */
  async files(): Promise<Readonly<Record<string, string>>> {
    const entries = await readdir(this.#top, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.startsWith(this.at(backups)));
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
    const run = await runInProcess(words, { cwd: this.at('project'), env });
    const shown = (text: string) =>
      text.replaceAll(this.#top, '').replaceAll(this.#top.slice(1), '').replaceAll(checkout, '<checkout>');
    return { code: run.code, stdout: shown(run.stdout), stderr: shown(run.stderr) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#top, { recursive: true, force: true });
  }
}

/** The directory that the program runs from. */
const checkout = dirname(dirname(bin));

/** The entry of a program that runs from there, with the paths of this machine left out. */
function portable(text: string): string {
  return text.replaceAll(checkout, '<checkout>').replaceAll(process.execPath, '<node>');
}

const ids = clientTargets.map(({ id }) => id);

function isConfiguration(path: string): boolean {
  return /\.(json|toml|yaml)$/.test(path);
}

describe('init', () => {
  test('writes the entry of every client where that client looks, and its rules', async () => {
    await using user = await User.create();
    const run = await user.run('init', '--non-interactive', '--target', ...ids);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const files = await user.files();
    const configs = Object.entries(files).filter(([path]) => isConfiguration(path));
    expect(configs.map(([path, text]) => `${path}\n${portable(text)}`).join('\n')).toMatchSnapshot(
      'configurations',
    );
    const rules = Object.entries(files).filter(([path]) => !isConfiguration(path));
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

  test('without a terminal it writes nothing unless a flag says what', async () => {
    await using user = await User.create();
    const run = await user.run('init');
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(
      'no client is named and there is no terminal to ask on; nothing was written',
    );
    expect(await user.files()).toEqual({});
    const told = await user.run('init', '--non-interactive');
    expect(told.stdout).toBe(
      'wrote /project/.mcp.json\nwrote /project/CLAUDE.md\nClaude Code, this project: Start Claude Code here, approve the server, and see /mcp.\nThe entry starts the program in <checkout>, which is on this machine only.\n',
    );
  });

  test('a program that runs from a checkout is started by its path, with the core set of tools', async () => {
    await using user = await User.create();
    await user.run('init', '--target', 'claude-code');
    expect(JSON.parse(await user.read('project/.mcp.json'))).toEqual({
      mcpServers: {
        forerun: { type: 'stdio', command: process.execPath, args: [bin, 'mcp', '--toolset', 'core'] },
      },
    });
  });

  test('a program that is installed is started by its name, another of that name is not', async () => {
    await using user = await User.create();
    await Promise.all(['ours', 'theirs'].map((name) => mkdir(user.at(name))));
    await symlink(bin, user.at('ours/forerun'));
    await writeFile(user.at('theirs/forerun'), '', { mode: 0o755 });
    const commandWith = async (directory: string): Promise<unknown> => {
      const env = { HOME: user.at('home'), PATH: `${user.at(directory)}:${dirname(process.execPath)}` };
      await runProgram(['init', '--target', 'cursor'], { cwd: user.at('project'), env });
      const { mcpServers } = JSON.parse(await user.read('project/.cursor/mcp.json'));
      return [mcpServers.forerun.command, ...mcpServers.forerun.args];
    };
    expect(await commandWith('ours')).toEqual(['forerun', 'mcp', '--toolset', 'core']);
    expect(await commandWith('theirs')).toEqual([process.execPath, bin, 'mcp', '--toolset', 'core']);
  });

  test('options in an entry stay, until others are asked for', async () => {
    await using user = await User.create();
    await user.run('init', '--target', 'cursor', '--toolset', 'full');
    const full = await user.read('project/.cursor/mcp.json');
    expect(full).not.toContain('--toolset');
    await user.run('init', '--target', 'cursor');
    expect(await user.read('project/.cursor/mcp.json')).toBe(full);
    await user.run('init', '--target', 'cursor', '--toolset', 'core');
    expect(await user.read('project/.cursor/mcp.json')).toContain('"--toolset"');
  });

  test('--remove takes one client out and leaves what another shares', async () => {
    await using user = await User.create();
    await user.run('init', '--target', 'opencode', 'amp');
    const run = await user.run('init', '--remove', '--target', 'amp');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(Object.keys(await user.files())).toEqual(['project/AGENTS.md', 'project/opencode.json']);
    await user.run('init', '--remove', '--target', 'opencode');
    expect(await user.files()).toEqual({});
  });

  test('the former text of a changed file is kept, readable by its user alone', async () => {
    const text = '{ "mcpServers": {} }\n';
    await using user = await User.create({ 'project/.mcp.json': text });
    await user.run('init', '--target', 'claude-code');
    const [name = '', ...more] = await readdir(user.at(backups));
    expect(name).toMatch(/^[0-9a-f]{12}-\.mcp\.json$/);
    expect(more).toEqual([]);
    expect(await user.read(join(backups, name))).toBe(text);
    expect((await stat(user.at(join(backups, name)))).mode & 0o777).toBe(0o600);
  });

  test.each([
    ['opencode', 'project/opencode.jsonc', 'project/opencode.json'],
    ['crush', 'project/.crush.json', 'project/crush.json'],
    ['amp', 'project/.amp/settings.jsonc', 'project/.amp/settings.json'],
    ['continue', 'home/.continue/config.yaml', 'project/.continue/mcpServers/forerun.json'],
  ])('%s: a file that exists is preferred to a new one', async (target, existing, otherwise) => {
    await using user = await User.create({
      [existing]: existing.endsWith('yaml') ? 'name: mine # me\n' : '{}\n',
    });
    await user.run('init', '--target', target);
    expect(await user.read(existing)).toContain('forerun');
    expect(Object.keys(await user.files())).not.toContain(otherwise);
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
    expect(portable(patch ?? '')).toMatchInlineSnapshot(`
      "diff --git a/.mcp.json b/.mcp.json
      --- a/.mcp.json
      +++ b/.mcp.json
      @@ -1,5 +1,15 @@
       {
         "mcpServers": {
      -    "x": { "command": "y" } // mine
      +    "x": { "command": "y" }, // mine
      +    "forerun": {
      +      "type": "stdio",
      +      "command": "<node>",
      +      "args": [
      +        "<checkout>/bin/forerun.js",
      +        "mcp",
      +        "--toolset",
      +        "core"
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
  'YAML with comments': {
    target: 'goose',
    path: 'home/.config/goose/config.yaml',
    text: 'GOOSE_MODEL: x # the best\nextensions:\n  # mine\n  developer:\n    enabled: true\n    type: builtin\n# end\n',
  },
  'a list of servers in YAML': {
    target: 'continue',
    path: 'home/.continue/config.yaml',
    text: 'name: mine\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: other # x\n    command: y\n',
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
    const after = portable(await user.read(path));
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
    await user.run('init', '--non-interactive');
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
  test.each(hookTargets.map(({ id }) => id))(
    'the hooks of %s start the command for hooks, and are removed',
    async (id) => {
      await using user = await User.create({ 'project/README.md': 'kept\n' });
      const before = await user.files();
      expect(await user.run('init', '--target', id, '--hooks')).toMatchObject({ code: 0, stderr: '' });
      const written = Object.values(await user.files()).join('\n');
      expect(written).toMatch(/forerun\.js["', ]+hook["', ]+--mode/);
      expect(written).not.toMatch(/mcp["', ]+hook/);
      expect(await user.run('uninstall')).toMatchObject({ code: 0 });
      expect(await user.files()).toEqual(before);
    },
  );

  test('--dry-run shows what would go', async () => {
    await using user = await User.create();
    await user.run('init', '--non-interactive');
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
    return await runInProcess(['update', '--check'], { cwd: user.at('project'), env });
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
    const run = await runInProcess(['update'], { env: { PATH: '/nowhere' } });
    expect(run.stderr).toContain(
      'the npm registry did not answer with the latest version: npm is not installed',
    );
    expect(run.code).toBe(2);
  });
});

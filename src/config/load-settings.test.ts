import { describe, expect, test } from 'vitest';
import { type LoadedSettings, mergeSettings } from './load-settings.ts';
import { settingKeys } from './settings.ts';

interface Given {
  readonly user?: unknown;
  readonly project?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: Readonly<Record<string, unknown>>;
}

function merge({ user, project, env = {}, flags = {} }: Given): LoadedSettings {
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const texts = [
    ...(user === undefined ? [] : [{ file: 'user.json', owner: 'user', text: text(user) } as const]),
    ...(project === undefined
      ? []
      : [{ file: 'project.json', owner: 'project', text: text(project) } as const]),
  ];
  return mergeSettings(texts, { env, flags });
}

function originOf({ entries }: LoadedSettings, key: string): string | undefined {
  return entries.find(({ setting }) => setting.key === key)?.origin;
}

test('without files every setting has its default', () => {
  const loaded = merge({});
  expect(loaded.settings).toMatchInlineSnapshot(`
    {
      "audit": {
        "previews": true,
      },
      "daemon": {
        "idleMs": 1800000,
        "startMs": 30000,
        "use": "auto",
      },
      "keys": {},
      "log": {},
      "model": {
        "maxTokens": 8192,
        "temperature": 0,
        "thinking": "off",
      },
      "permissions": {
        "allow": [],
        "deny": [],
        "mode": "default",
      },
      "queue": {
        "callerJobs": 64,
        "callerJobsPerMinute": 6000,
      },
      "sandbox": {
        "tiers": [
          "isolated",
          "readonly",
        ],
      },
      "servers": {
        "load": "parts",
      },
      "speculation": {
        "dailyTokens": 2000000,
        "depth": 1,
        "enabled": true,
        "enterRuns": false,
        "sessionTokens": 1000000,
      },
      "storage": {
        "cacheDays": 30,
        "cacheMegabytes": 2048,
        "conversationDays": 180,
        "conversationMegabytes": 1024,
        "logDays": 90,
        "logMegabytes": 200,
        "sessionDays": 30,
        "sessionMegabytes": 500,
      },
      "tools": {},
      "trust": {
        "folders": [],
      },
    }
  `);
  expect(loaded.entries.every(({ origin }) => origin === 'default')).toBe(true);
});

test('every setting says what it is for', () => {
  expect(settingKeys.filter(({ about }) => about === '').map(({ key }) => key)).toEqual([]);
});

test('a later source comes before an earlier one', () => {
  const layers: Given = {
    user: { model: { name: 'a' } },
    project: { model: { name: 'b' } },
    env: { FORERUN_MODEL: 'c' },
    flags: { 'model.name': 'd' },
  };
  const names = (['user', 'project', 'env', 'flags'] as const).map((_, index, order) => {
    const taken = Object.fromEntries(order.slice(0, index + 1).map((source) => [source, layers[source]]));
    const loaded = merge(taken);
    return [loaded.settings.model.name, originOf(loaded, 'model.name')];
  });
  expect(names).toEqual([
    ['a', 'user'],
    ['b', 'project'],
    ['c', 'environment'],
    ['d', 'flag'],
  ]);
});

test('rules add up', () => {
  const { settings } = merge({
    user: { permissions: { deny: ['Bash(rm:*)', 'Write'] } },
    project: { permissions: { deny: ['Write', 'Edit(dist/**)'] } },
  });
  expect(settings.permissions.deny).toEqual(['Bash(rm:*)', 'Write', 'Edit(dist/**)']);
});

test('comments and trailing commas are no obstacle', () => {
  const { settings } = merge({ user: '{\n // mine\n "model": { "name": "x", /* y */ },\n}\n' });
  expect(settings.model.name).toBe('x');
});

test('an empty file is a file without settings', () => {
  expect(merge({ user: ' \n' }).warnings).toEqual([]);
});

describe('the environment', () => {
  test.each([
    ['ollama/qwen3:8b', 'ollama', 'qwen3:8b'],
    ['lmstudio/openai/gpt-oss-20b', 'lmstudio', 'openai/gpt-oss-20b'],
    ['openai-compatible/x/y', 'openai-compatible', 'x/y'],
    ['qwen/qwen3', undefined, 'qwen/qwen3'],
    ['claude-x', undefined, 'claude-x'],
    ['', undefined, undefined],
  ])('FORERUN_MODEL=%s', (model, provider, name) => {
    const { settings } = merge({ env: { FORERUN_MODEL: model } });
    expect([settings.model.provider, settings.model.name]).toEqual([provider, name]);
  });

  test('turns speculation off and on', () => {
    expect(merge({ env: { FORERUN_SPECULATION: 'off' } }).settings.speculation.enabled).toBe(false);
    const user = { speculation: { enabled: false } };
    expect(merge({ user, env: { FORERUN_SPECULATION: '1' } }).settings.speculation.enabled).toBe(true);
    expect(() => merge({ env: { FORERUN_SPECULATION: 'maybe' } })).toThrow(/FORERUN_SPECULATION/);
  });
});

describe('a file that is not right', () => {
  test('an unknown setting is warned of and the rest holds', () => {
    const loaded = merge({ user: { model: { name: 'x', colour: 'red' }, theme: 'dark' } });
    expect(loaded.settings.model.name).toBe('x');
    expect(loaded.warnings).toEqual([
      'user.json: there is no setting "model.colour"; it is ignored',
      'user.json: there is no setting "theme"; it is ignored',
    ]);
  });

  test.each([
    [{ model: { temperature: 3 } }, 'config/invalid-setting', /model\.temperature in user\.json/],
    [{ model: { provider: 'acme' } }, 'config/invalid-setting', /model\.provider/],
    [{ model: { baseUrl: 'nowhere' } }, 'config/invalid-setting', /model\.baseUrl/],
    [{ model: 'x' }, 'config/invalid-setting', /must be an object/],
    [{ permissions: { deny: 'Bash' } }, 'config/invalid-setting', /permissions\.deny/],
    [{ tools: { Bash: 'off' } }, 'config/invalid-setting', /tools\.Bash/],
    ['{ "model": {\n  "name" "x" } }', 'config/broken-file', /ColonExpected at 2:10/],
    ['[]', 'config/broken-file', /not a JSON object/],
  ])('%j is refused with its place', (user, code, words) => {
    expect(() => merge({ user })).toThrow(expect.objectContaining({ code }));
    expect(() => merge({ user })).toThrow(words);
  });

  test('a key that is wrong is not repeated', () => {
    expect(() => merge({ user: { keys: { openai: { value: 'sk-secret' } } } })).toThrow(/keys\.openai/);
    expect(() => merge({ user: { keys: { openai: { value: 'sk-secret' } } } })).not.toThrow(/sk-secret/);
  });

  test('a flag without a setting is refused', () => {
    expect(() => merge({ flags: { 'model.nam': 'x' } })).toThrow(
      expect.objectContaining({ code: 'config/unknown-setting' }),
    );
  });

  test('no name reaches the prototype of anything', () => {
    const { settings } = merge({ user: '{"tools": {"__proto__": true}, "__proto__": {"polluted": 1}}' });
    expect(Object.getPrototypeOf(settings.tools)).toBe(Object.prototype);
    expect('polluted' in settings).toBe(false);
  });
});

describe('a workspace', () => {
  const refused: readonly (readonly [string, object])[] = [
    ['bring a key', { keys: { anthropic: 'sk-project' } }],
    ['send the key of its user elsewhere', { model: { baseUrl: 'https://example.com' } }],
    ['let everything pass', { permissions: { mode: 'bypassPermissions' } }],
    ['let edits pass', { permissions: { mode: 'acceptEdits' } }],
    ['allow calls', { permissions: { allow: ['Bash(*)'] } }],
    ['make Enter run things', { speculation: { enterRuns: true } }],
    ['raise the budget', { speculation: { dailyTokens: 9_000_000_000 } }],
    ['raise the budget of one chat', { speculation: { sessionTokens: 9_000_000_000 } }],
    ['turn a tool on', { tools: { Bash: true } }],
    ['trust itself', { trust: { folders: ['/'] } }],
  ];
  test.each(refused)('may not %s', (_, project) => {
    const user = { tools: { Bash: false }, permissions: { mode: 'plan' } };
    const alone = merge({ user });
    const together = merge({ user, project });
    expect(together.settings).toEqual(alone.settings);
    expect(together.warnings).toHaveLength(1);
    expect(together.warnings.join()).not.toContain('sk-project');
  });

  const welcome: readonly object[] = [
    { model: { name: 'x', provider: 'ollama', temperature: 0.2 } },
    { model: { baseUrl: 'http://127.0.0.1:8000' } },
    { permissions: { mode: 'plan', deny: ['Bash'] } },
    { speculation: { enabled: false, depth: 2, enterRuns: false } },
    { tools: { Bash: false } },
  ];
  test.each(welcome)('may bring %j', (project) => {
    const { settings, warnings } = merge({ project });
    expect(settings).toMatchObject(project);
    expect(warnings).toEqual([]);
  });
});

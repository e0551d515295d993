import { expect, test } from 'vitest';
import { levelOfEnvironment } from './environment.ts';
import { processSettings } from './load-settings.ts';

test.each<[NodeJS.ProcessEnv, unknown]>([
  [{}, {}],
  [{ LOG_LEVEL: 'Debug' }, { level: 'debug' }],
  [{ LOG_LEVEL: 'info', FORERUN_LOG_LEVEL: 'error' }, { level: 'error' }],
  [{ LOG_LEVEL: 'loud' }, { unknown: 'loud' }],
])('the environment %j asks for %j', (env, expected) => {
  expect(levelOfEnvironment(env)).toEqual(expected);
});

test('every variable is a setting, and an older name counts where the newer one is not set', () => {
  const env = {
    FORERUN_MEMORY_MB: '512',
    FORERUN_SCOPE: 'off',
    FORERUN_CACHE_DIR: 'off',
    FORERUN_DAEMON: 'ON',
    FORERUN_DAEMON_DIR: '',
    AGENT_LSP_DAEMON_DIR: '/b',
    FORERUN_DAEMON_IDLE_MS: '2000',
    AGENT_LSP_BROKER_TIMEOUT_MS: '300',
    FORERUN_SANDBOX: 'isolated, copied',
    FORERUN_AUDIT_LOG: '/a.jsonl',
    AGENT_LSP_AUDIT_LOG: '/b.jsonl',
    FORERUN_AUDIT_PREVIEWS: 'off',
    FORERUN_TOKEN: 'token',
    FORERUN_LOG_LEVEL: 'Debug',
  };
  const { settings, warnings } = processSettings([], env);
  expect(warnings).toEqual([]);
  expect(settings).toMatchObject({
    servers: { memoryMegabytes: 512, load: 'everything', cacheDirectory: 'off' },
    daemon: { use: 'on', directory: '/b', idleMs: 2000, startMs: 300 },
    sandbox: { tiers: ['isolated', 'copied'] },
    audit: { file: '/a.jsonl', previews: false },
    keys: { http: 'token' },
    log: { level: 'debug' },
  });
});

test.each([
  ['FORERUN_MEMORY_MB', 'plenty'],
  ['FORERUN_MEMORY_MB', '0'],
  ['FORERUN_MEMORY_MB', '-5'],
  ['FORERUN_MEMORY_MB', 'NaN'],
  ['FORERUN_DAEMON', 'perhaps'],
  ['FORERUN_DAEMON_IDLE_MS', 'long'],
  ['FORERUN_LOG_LEVEL', 'loud'],
])('%s=%s is reported and left aside', (variable, text) => {
  const { settings, warnings } = processSettings([], { [variable]: text });
  expect(settings).toEqual(processSettings([], {}).settings);
  expect(warnings).toEqual([expect.stringContaining(variable)]);
});

test('the environment comes before the file of the user, and a workspace sets none of this', () => {
  const text = '{"servers":{"memoryMegabytes":100,"load":"everything"},"sandbox":{"tiers":["copied"]}}';
  const env = { FORERUN_MEMORY_MB: '200' };
  const { settings } = processSettings([{ file: 'user.json', owner: 'user', text }], env);
  expect(settings).toMatchObject({
    servers: { memoryMegabytes: 200, load: 'everything' },
    sandbox: { tiers: ['copied'] },
  });
  const project = processSettings([{ file: 'project.json', owner: 'project', text }], {});
  expect(project.settings).toEqual(processSettings([], {}).settings);
  expect(project.warnings).toHaveLength(3);
});

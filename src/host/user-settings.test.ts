import { expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { brokerHome, userSettings } from './user-settings.ts';

test.each<[string, Record<string, string>, string]>([
  ['as chosen', { FORERUN_DAEMON_DIR: '/a', AGENT_LSP_DAEMON_DIR: '/b' }, '/a'],
  ['by its older name', { AGENT_LSP_DAEMON_DIR: '/b', XDG_CACHE_HOME: '/c' }, '/b'],
  ['in the cache', { XDG_CACHE_HOME: '/c' }, '/c/forerun'],
])('brokers live where the user wants them: %s', (_, env, expected) => {
  const own = { HOME: '/nowhere', ...env };
  expect(brokerHome(userSettings(own, silentLog), own)).toBe(expected);
});

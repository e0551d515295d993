import { describe, expect, test } from 'vitest';
import { commandEnvironment } from './command-environment.ts';

describe('the environment of a command', () => {
  test.each([
    ['GITHUB_TOKEN'],
    ['AWS_SECRET_ACCESS_KEY'],
    ['npm_config__authToken'],
    ['SSH_AUTH_SOCK'],
    ['DOCKER_HOST'],
    ['DBUS_SESSION_BUS_ADDRESS'],
    ['XDG_RUNTIME_DIR'],
    ['DATABASE_URL'],
    ['LD_PRELOAD'],
  ])('holds nothing of %s', (name) => {
    expect(commandEnvironment({ [name]: 'x' }, {}).variables).not.toHaveProperty(name);
  });

  test('holds what builds go by, and what the caller adds', () => {
    const machine = { PATH: '/bin', HOME: '/home/me', LC_ALL: 'C', GOPATH: '/go', EMPTY: undefined };
    const { variables, path } = commandEnvironment(machine, { EXTRA: '1', HOME: '/other' });
    expect(path).toBe('/bin');
    expect(variables).toEqual({
      TERM: 'dumb',
      NO_COLOR: '1',
      TMPDIR: '/tmp',
      HOME: '/other',
      LC_ALL: 'C',
      GOPATH: '/go',
      EXTRA: '1',
    });
  });

  test.each([
    ['--max-old-space-size=4096', true],
    ['--require /home/me/.config/Code/bootloader.js --inspect-publish-uid=http', false],
    ['-r /x', false],
    ['--import=/x', false],
  ])('holds NODE_OPTIONS=%s: %s', (NODE_OPTIONS, isPassed) => {
    expect('NODE_OPTIONS' in commandEnvironment({ NODE_OPTIONS }, {}).variables).toBe(isPassed);
  });

  test.each(['PERL5OPT', 'LD_PRELOAD', 'LD_LIBRARY_PATH', 'BASH_ENV', 'ENV'])(
    'never takes %s, which would be read before anything is confined',
    (name) => {
      expect(commandEnvironment({}, { [name]: 'x' }).variables).not.toHaveProperty(name);
    },
  );
});

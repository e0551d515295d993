import { expect, test } from 'vitest';
import { installationOf, installationsOf } from './server-installation.ts';

test.each([
  ['/opt/jdtls/bin/jdtls', '/opt/jdtls'],
  ['/srv/tools/zls', '/srv/tools'],
  ['/lib/forerun/node_modules/pyright/dist/pyright-langserver.js', '/lib/forerun/node_modules'],
  ['/a/node_modules/b/node_modules/c/index.js', '/a/node_modules'],
])('%s is installed in %s', (file, directory) => {
  expect(installationOf(file)).toBe(directory);
});

test('options, names and files that are not there are installed nowhere', () => {
  expect(installationsOf(['server', '--stdio', '/no/such/file'])).toEqual([]);
});

import { expect, test } from 'vitest';
import { makerOf, parentGroup } from './control-group.ts';

test.each([
  [
    '0::/user.slice/user-1000.slice/user@1000.service/app.slice/shell.scope\n',
    '/user.slice/user-1000.slice/user@1000.service/app.slice',
  ],
  ['0::/\n', '/'],
  ['4:memory:/a\n0::/b/c\n', '/b'],
  ['4:memory:/a\n', undefined],
  ['0::/../outside\n', undefined],
  ['', undefined],
])('a process in %j makes its group in %s', (groups, parent) => {
  expect(parentGroup(groups)).toBe(parent);
});

test.each([
  ['forerun-sandbox-12-3', 12],
  ['forerun-sandbox-', undefined],
  ['session.scope', undefined],
])('the maker of the group %s is %s', (name, maker) => {
  expect(makerOf(name)).toBe(maker);
});

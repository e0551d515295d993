import { expect, test } from 'vitest';
import { mountsBelow, mountsIn, readonlyOptions } from './mount-table.ts';

const table = mountsIn(`25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
29 25 0:8 / /mnt/my\\040disk\\134x rw,nosuid,noexec,noatime,lazytime shared:2 - ext4 /dev/sdb1 rw
30 25 0:9 / /home/me/ws/node_modules rw,relatime - ext4 /dev/sdc1 rw
31 25 0:10 / /home/me/ws2 rw,relatime - ext4 /dev/sdd1 rw
`);

test.each([
  ['/usr', 'ro,nosuid,nodev,relatime'],
  ['/mnt/my disk\\x/deep', 'ro,nosuid,nodev,noexec,noatime'],
  ['/mnt/my disk\\xy', 'ro,nosuid,nodev,relatime'],
])('%s is made read-only with the flags its mount has', (path, options) => {
  expect(readonlyOptions(table, path)).toBe(options);
});

test('the mounts below a directory are those in it, and none beside it', () => {
  expect(mountsBelow(table, '/home/me/ws')).toEqual(['/home/me/ws/node_modules']);
});

import { expect, test } from 'vitest';
import { innerSteps, mountsIn, readonlySteps } from './confined-layout.ts';

const table = `25 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
26 25 0:5 / /proc rw,nosuid - proc proc rw
27 25 0:6 / /dev/shm rw,nosuid - tmpfs tmpfs rw
28 25 0:7 / /sys ro,nosuid - sysfs sysfs rw
29 25 0:8 / /mnt/my\\040disk\\134x rw,nosuid,noexec,noatime,lazytime shared:2 - ext4 /dev/sdb1 rw
30 25 0:9 / /home/me/ws/node_modules rw,relatime - ext4 /dev/sdc1 rw
31 25 0:10 / /home/me/ws2 rw,relatime - ext4 /dev/sdd1 rw
32 25 0:11 / /tmp/x rw - tmpfs tmpfs rw
`;

test('every mount that can be written and stays in sight is made read-only with the flags it has', () => {
  expect(readonlySteps(mountsIn(table))).toEqual([
    ...['nosuid,nodev,relatime', '/'],
    ...['nosuid,nodev,noexec,noatime', '/mnt/my disk\\x'],
    ...['nosuid,nodev,relatime', '/home/me/ws/node_modules'],
    ...['nosuid,nodev,relatime', '/home/me/ws2'],
  ]);
});

test('what is mounted inside the workspace is put back into it, and nothing beside it', () => {
  expect(innerSteps(mountsIn(table), '/home/me/ws')).toEqual([
    'lower/node_modules',
    '/home/me/ws/node_modules',
  ]);
});

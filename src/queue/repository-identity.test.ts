import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { realPathOf } from '../workspace/real-path.ts';
import { AllowedRepositories, covers, repositoryIdentity } from './repository-identity.ts';

const here = realPathOf(tmpdir());

test.each<[string, string]>([
  ['https://git.example/team/app.git', 'git.example/team/app'],
  ['https://git.example/team/app', 'git.example/team/app'],
  ['https://user:word@Git.Example/team/app/', 'git.example/team/app'],
  ['git@git.example:team/app.git', 'git.example/team/app'],
  ['git.example:team/app', 'git.example/team/app'],
  ['ssh://git@git.example:22/team/app.git', 'git.example/team/app'],
  ['ssh://git@git.example:2222/team/app.git', 'git.example:2222/team/app'],
  [`${here}/app/.git`, `${here}/app`],
  [`file://${here}/app`, `${here}/app`],
])('%s is the repository %s', (remote, identity) => {
  expect(repositoryIdentity(remote)).toBe(identity);
});

test.each<[readonly string[], string, string | undefined]>([
  [['https://git.example/team/app'], 'git@git.example:team/app.git', 'https://git.example/team/app'],
  [['https://git.example/team/*'], 'git@git.example:team/app.git', 'https://git.example/team/app.git'],
  [['https://git.example/team/*'], 'http://git.example/team/a/b', 'https://git.example/team/a/b'],
  [['https://git.example/team/ap*'], 'https://git.example/team/app', 'https://git.example/team/app'],
  [['git@git.example:team/*'], 'https://git.example/team/app', 'git@git.example:team/app'],
  [['https://git.example/team/app'], 'https://git.example/team/other', undefined],
  [['https://git.example/team/app'], 'https://git.example/team/app-2', undefined],
  [['https://git.example/team/*'], 'https://git.example/teams/app', undefined],
  [['https://git.example/team/*'], 'https://git.example.attacker.example/team/app', undefined],
  [[`${here}/*`], `${here}/app`, `${here}/app`],
  [[`${here}/app`], `${here}/../etc/app`, undefined],
  [[], 'https://git.example/team/app', undefined],
])('a worker for %j fetches %s from %s', (list, remote, expected) => {
  const allowed = new AllowedRepositories(list);
  const identity = repositoryIdentity(remote);
  expect(allowed.remoteOf({ identity, remote })).toBe(expected);
  expect(covers(allowed, identity)).toBe(expected !== undefined);
});

test('the identity of a job does not lead to another remote', () => {
  const allowed = new AllowedRepositories(['https://git.example/team/*']);
  const job = { identity: 'git.example/team/app', remote: 'https://attacker.example/app' };
  expect(allowed.remoteOf(job)).toBeUndefined();
});

test.each([
  'https://git.example/team/../other/app',
  'https://git.example/team/%2e%2e/other/app',
  'https://git.example/team/./../other',
  'https://git.example/team//app',
  'https://git.example/team/app?x=/y',
  'https://git.example/team/app#x',
  'https://git.example/team/a\\..\\..\\other',
  'https://git.example/team/app\n--upload-pack=x',
  'https://git.example/team/%zz',
  'https://attacker.example#@git.example/team/app?',
  'ext::sh -c id',
  'ext::sh -c id git.example/team/app',
  '--upload-pack=touch /tmp/x',
  'file:///etc',
  '/etc',
])('%s is fetched from nowhere', (remote) => {
  const allowed = new AllowedRepositories(['https://git.example/team/*', `${here}/repositories/*`]);
  expect(allowed.remoteOf({ identity: repositoryIdentity(remote), remote })).toBeUndefined();
});

test('an address that hides another host is fetched from the host of the list', () => {
  const allowed = new AllowedRepositories(['https://git.example/team/*']);
  const remote = 'https://attacker.example#@git.example/team/app';
  expect(allowed.remoteOf({ identity: repositoryIdentity(remote), remote })).toBe(
    'https://git.example/team/app',
  );
});

test('a link in a directory of the list does not lead out of it', async () => {
  const scratch = await mkdtemp(join(here, 'forerun-allowed-'));
  try {
    await mkdir(join(scratch, 'list'));
    await mkdir(join(scratch, 'secret'));
    await symlink(join(scratch, 'secret'), join(scratch, 'list/app'));
    const allowed = new AllowedRepositories([`${scratch}/list/*`]);
    const remote = `${scratch}/list/app`;
    for (const identity of [remote, repositoryIdentity(remote)])
      expect(allowed.remoteOf({ identity, remote })).toBeUndefined();
  } finally {
    await rm(scratch, { recursive: true });
  }
});

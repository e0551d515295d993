import { tmpdir } from 'node:os';
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
  [['https://git.example/team/*'], 'git@git.example:team/app.git', 'git@git.example:team/app.git'],
  [['git@git.example:team/*'], 'https://git.example/team/app', 'https://git.example/team/app'],
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

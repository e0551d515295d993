import { expect, test } from 'vitest';
import { type Job, jobIdOf, parseJob } from './job.ts';

const job: Job = {
  protocol: 1,
  version: '1.0.0',
  repository: {
    identity: 'git.example/team/app',
    remote: 'https://git.example/team/app',
    commit: 'a'.repeat(40),
    directory: 'packages/one',
  },
  layers: [{ kind: 'inline', text: '{}' }],
  unsent: { kind: 'inline', text: '{"files":[],"more":0}' },
  request: { scope: 'workspace', timeoutMs: 1000, caller: 'whatif' },
  deadlineMs: 1000,
  caller: 'ada@desk',
  priority: 'person',
};

test('a job passes JSON and its schema unchanged', () => {
  expect(parseJob(JSON.stringify(job))).toEqual(job);
});

test.each<[unknown, string]>([
  [{ ...job, protocol: 2 }, 'queue/protocol-mismatch'],
  [{ ...job, protocol: undefined }, 'queue/protocol-mismatch'],
  ['text', 'queue/protocol-mismatch'],
  [{ ...job, layers: [] }, 'queue/malformed-job'],
  [{ ...job, layers: [{ kind: 'blob', hash: '../answer' }] }, 'queue/malformed-job'],
  [{ ...job, repository: { ...job.repository, commit: '--upload-pack=x' } }, 'queue/malformed-job'],
  [{ ...job, repository: { ...job.repository, directory: '../..' } }, 'queue/malformed-job'],
  [{ ...job, repository: { ...job.repository, directory: '/etc' } }, 'queue/malformed-job'],
  [{ ...job, priority: 'first' }, 'queue/malformed-job'],
])('%# is refused by name', (given, code) => {
  expect(() => parseJob(JSON.stringify(given))).toThrow(expect.objectContaining({ code }));
});

test('text that is not JSON is refused by name', () => {
  expect(() => parseJob('{')).toThrow(expect.objectContaining({ code: 'queue/malformed-job' }));
});

test.each<[string, Partial<Job>, boolean]>([
  ['another caller', { caller: 'bob@desk' }, true],
  ['another priority', { priority: 'batch' }, true],
  ['another deadline', { deadlineMs: 5 }, true],
  [
    'another spelling of the remote',
    { repository: { ...job.repository, remote: 'git@git.example:team/app' } },
    true,
  ],
  ['another purpose in the log', { request: { ...job.request, caller: 'merge' } }, true],
  [
    'another order of properties',
    { request: { timeoutMs: 1000, scope: 'workspace', caller: 'whatif' } },
    true,
  ],
  ['another commit', { repository: { ...job.repository, commit: 'b'.repeat(40) } }, false],
  ['another directory', { repository: { ...job.repository, directory: '' } }, false],
  ['another layer', { layers: [{ kind: 'inline', text: '{"a":1}' }] }, false],
  ['another scope', { request: { ...job.request, scope: 'file' } }, false],
])('a job with %s is the same one: %#', (_, other, isSame) => {
  expect(jobIdOf({ ...job, ...other }) === jobIdOf(job)).toBe(isSame);
});

test('a part that is stored apart is the same job as one that is not', async () => {
  const { sha256 } = await import('../storage/hash.ts');
  expect(jobIdOf({ ...job, layers: [{ kind: 'blob', hash: sha256('{}') }] })).toBe(jobIdOf(job));
});

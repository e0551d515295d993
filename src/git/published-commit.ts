/**
 * What another machine can fetch of this repository: its remote, and the newest commit of the current branch that the
 * remote has.
 *
 * Invariant: the answer comes from what this repository knows of its remote; nothing is fetched and no remote is asked.
 */
import { Failure } from '../base/failure.ts';
import type { GitRepository } from './git-repository.ts';

export interface PublishedCommit {
  /** The address of the remote, without user name and password; the directory of the repository if there is none. */
  readonly remote: string;
  readonly commit: string;
}

export async function publishedCommit(
  repository: GitRepository,
  signal: AbortSignal,
): Promise<PublishedCommit> {
  // Asked at once: each takes a process. If the head moves meanwhile, the answer is a commit of either history.
  const [head, remote, own] = await Promise.all([
    repository.commitOf('HEAD', signal),
    originOf(repository, signal),
    unpublished(repository, signal),
  ]);
  if (head === undefined) throw new NothingPublished('it has no commit');
  if (remote === undefined) return { remote: repository.commonDirectory, commit: head };
  if (own === undefined) throw new NothingPublished('its history cannot be read');
  const oldest = own.at(-1);
  if (oldest === undefined) return { remote, commit: head };
  const parent = await repository.commitOf(`${oldest}^`, signal);
  if (parent === undefined) throw new NothingPublished('its remote has none of its commits');
  return { remote, commit: parent };
}

async function originOf(repository: GitRepository, signal: AbortSignal): Promise<string | undefined> {
  const words = ['config', '--get', 'remote.origin.url'] as const;
  const { code, stdout } = await repository.answer([...words], {}, signal);
  const address = stdout.replace(/\n$/, '');
  return code === 0 && address !== '' ? withoutCredentials(address) : undefined;
}

/** The commits of the first-parent history that no branch of the remote contains, the newest first; undefined if git fails. */
async function unpublished(
  repository: GitRepository,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const words = ['rev-list', '--first-parent', 'HEAD', '--not', '--remotes=origin'] as const;
  const { code, stdout } = await repository.answer([...words], {}, signal);
  return code === 0 ? stdout.split('\n').filter((line) => line !== '') : undefined;
}

/** Credentials of this user are not for other machines; those have their own. */
export function withoutCredentials(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');
}

class NothingPublished extends Failure {
  readonly code = 'git/nothing-published';
  readonly remedy = 'Push the branch, so that workers can fetch a commit of it.';

  constructor(why: string) {
    super(`no commit of this repository can be fetched by other machines: ${why}`);
  }
}

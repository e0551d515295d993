/** What can go wrong between a caller and a worker. */
import { Failure } from '../base/failure.ts';

/** The queue is not reachable, at the start or for longer than the caller waits. */
export class QueueUnreachable extends Failure {
  readonly code = 'queue/unreachable';
  readonly remedy =
    'Start Redis or Valkey at this address, or give the right one with --queue or FORERUN_QUEUE; without a queue the change is judged on this machine.';

  constructor(address: string, why: string, options?: ErrorOptions) {
    super(`no queue at ${address}: ${why}`, options);
  }
}

/** Redis answers, and does not let this user in. */
export class QueueRefused extends Failure {
  readonly code = 'queue/refused';
  readonly remedy =
    'Put the user and password of Redis into the address, such as rediss://user:password@host, in FORERUN_QUEUE or queue.url; the rights that the user needs are in docs/guide/scale-out.md.';

  constructor(address: string, why: string, options?: ErrorOptions) {
    super(`the queue at ${address} refuses this user: ${why}`, options);
  }
}

export class NoQueueAddress extends Failure {
  readonly code = 'queue/no-address';
  readonly remedy =
    'Give the address of Redis or Valkey, such as --queue redis://127.0.0.1:6379, or set FORERUN_QUEUE.';

  constructor() {
    super('no queue is named');
  }
}

export class QueueNotInstalled extends Failure {
  readonly code = 'queue/not-installed';
  readonly remedy = 'Install the optional packages: npm install bullmq ioredis';

  constructor(cause: unknown) {
    super('the packages bullmq and ioredis are not installed', { cause });
  }
}

export class QueueSecretMissing extends Failure {
  readonly code = 'queue/no-secret';
  readonly remedy =
    'Set FORERUN_QUEUE_SECRET, or keys.queue in the settings, to the same secret of at least 16 characters for callers and workers.';

  constructor() {
    super('a queue is used only with a shared secret, by which jobs and answers are signed');
  }
}

/** The server of the queue refuses to store more. */
export class QueueFull extends Failure {
  readonly code = 'queue/full';
  readonly remedy = 'Raise maxmemory of Redis, or wait until workers have answered the jobs in it.';

  constructor(cause: unknown) {
    super('the queue has no memory left for another job', { cause });
  }
}

export class NoWorker extends Failure {
  readonly code = 'queue/no-worker';
  readonly remedy =
    'Start one of the same version: forerun worker --queue <address> --repository <repository>';

  constructor(
    repository: string,
    { version, others }: { readonly version: string; readonly others: readonly string[] },
  ) {
    const versions = [...new Set(others)].join(', ');
    const running =
      others.length === 0
        ? 'no worker is running'
        : `${others.length} running (version ${versions}), none of them for this repository and version`;
    super(`no worker of version ${version} serves ${repository}: ${running}`);
  }
}

export class JobExpired extends Failure {
  readonly code = 'queue/deadline';
  readonly remedy = 'Start more workers, or wait longer.';

  constructor(seconds: number) {
    super(`no worker answered within ${seconds} s`);
  }
}

export class QuotaReached extends Failure {
  readonly code = 'queue/quota';
  readonly remedy = 'Wait until earlier jobs of this caller are answered, or raise queue.callerJobs.';

  constructor(caller: string, jobs: number) {
    super(`${caller} has ${jobs} jobs in the queue already`);
  }
}

export class RateReached extends Failure {
  readonly code = 'queue/rate-limit';
  readonly remedy = 'Wait, or raise queue.callerJobsPerMinute.';

  constructor(caller: string, jobs: number) {
    super(`${caller} has added ${jobs} jobs within a minute`);
  }
}

/** It ended the worker or crashed the language server on every attempt. */
export class JobPoisoned extends Failure {
  readonly code = 'queue/poisoned-job';
  readonly remedy =
    'Judge the change on one machine, without --queue, to see what fails; other jobs are not affected.';

  constructor(why: string) {
    super(`the job was given up after ${maxAttempts} attempts: ${why}`);
  }
}

/** How often a job that ends its worker or crashes a server is tried. */
export const maxAttempts = 3;

export class ProtocolMismatch extends Failure {
  readonly code = 'queue/protocol-mismatch';
  readonly remedy = 'Run callers and workers of the same version.';

  constructor(found: unknown, known: number) {
    super(`the job has protocol ${JSON.stringify(found)}, and this worker has protocol ${known}`);
  }
}

/** Workers of another version may answer otherwise than this machine would. */
export class VersionMismatch extends Failure {
  readonly code = 'queue/version-mismatch';
  readonly remedy = 'Run callers and workers of the same version.';

  constructor(found: string, known: string) {
    super(`the job is of version ${found}, and this worker of version ${known}`);
  }
}

/** A part of a job is larger than a worker would read. */
export class ChangeTooLarge extends Failure {
  readonly code = 'queue/too-large';
  readonly remedy = 'Judge the change on this machine, without --queue, or push what it rests on first.';

  constructor(bytes: number, limit: number) {
    const megabytes = (count: number) => Math.ceil(count / 2 ** 20);
    super(`the change has ${megabytes(bytes)} MB, and a queue takes ${megabytes(limit)} MB`);
  }
}

/** A job or an answer was not made by a holder of the shared secret. */
export class NotSigned extends Failure {
  readonly code = 'queue/not-signed';
  readonly remedy = 'Give callers and workers the same FORERUN_QUEUE_SECRET.';

  constructor(what: 'job' | 'answer') {
    super(`the ${what} is not signed with the secret of this queue`);
  }
}

export class MalformedJob extends Failure {
  readonly code = 'queue/malformed-job';
  readonly remedy = 'Run callers and workers of the same version.';
}

export class RepositoryNotAllowed extends Failure {
  readonly code = 'queue/repository-not-allowed';
  readonly remedy = 'Start a worker that lists it: forerun worker --repository <repository>';

  constructor(repository: string) {
    super(`this worker does not evaluate ${repository}`);
  }
}

/** A part of the job is no longer stored; the caller sends it again. */
export class BlobMissing extends Failure {
  readonly code = 'queue/blob-missing';
  readonly remedy = 'Send the job again.';

  constructor(hash: string) {
    super(`a part of the change is not in the queue any more (${hash.slice(0, 12)})`);
  }
}

/** The workspace is a part of a repository that has changes elsewhere, which no overlay of the workspace can hold. */
export class ChangedOutside extends Failure {
  readonly code = 'queue/changed-outside';
  readonly remedy = 'Use the top of the repository as --root, or commit and push the other changes first.';

  constructor(paths: readonly string[]) {
    super(`the repository has changes outside the workspace: ${paths.slice(0, 5).join(', ')}`);
  }
}

/** A failure of a worker, with its own code and remedy. */
export class WorkerFailed extends Failure {
  readonly code: string;
  readonly remedy: string;

  constructor(failed: { readonly code: string; readonly message: string; readonly remedy: string }) {
    super(failed.message);
    this.code = failed.code;
    this.remedy = failed.remedy;
  }
}

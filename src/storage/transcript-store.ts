/**
 * The conversations of one workspace, one file each.
 *
 * Invariants: only the user can read them; an id is the name of one file and never leads elsewhere. A process that
 * writes to a conversation has claimed it, so two never mix their messages.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../base/failure.ts';
import { FileLock } from '../process/file-lock.ts';
import { statePlaces } from './own-places.ts';
import { Transcript } from './transcript.ts';
import { workspaceKey } from './workspace-key.ts';

export interface StoredTranscript {
  readonly id: string;
  readonly path: string;
  readonly modifiedAt: number;
}

export class TranscriptStore {
  readonly directory: string;

  /** `stateDirectory` is the state directory of Forerun. */
  constructor(stateDirectory: string, workspaceRoot: string) {
    this.directory = join(statePlaces.conversations(stateDirectory), workspaceKey(workspaceRoot));
  }

  /** A new conversation; its file is created with its first entry. */
  create(): { readonly id: string; readonly transcript: Transcript } {
    const id = randomUUID();
    return { id, transcript: this.open(id) };
  }

  open(id: string): Transcript {
    return new Transcript(join(this.directory, `${id}.jsonl`));
  }

  /** Holds a conversation for this process until the claim is disposed; fails if another process holds it. */
  claim(id: string): Disposable {
    const lock = FileLock.tryAcquire({
      file: join(this.directory, `${id}.lock`),
      makeDirectory: () => void mkdirSync(this.directory, { recursive: true, mode: 0o700 }),
    });
    if (!lock) throw new TranscriptInUse(id);
    return lock;
  }

  /** All conversations, most recently used first. */
  async list(): Promise<readonly StoredTranscript[]> {
    const names = await readdir(this.directory).catch(() => []);
    const found = await Promise.all(
      names.flatMap((name) => {
        const [, id] = /^([0-9a-f-]{36})\.jsonl$/.exec(name) ?? [];
        return id === undefined ? [] : [dated(id, join(this.directory, name))];
      }),
    );
    return found.flat().sort((a, b) => b.modifiedAt - a.modifiedAt || (a.id < b.id ? -1 : 1));
  }

  /** The conversation whose id has this prefix; fails if there is none or more than one. */
  async find(prefix: string): Promise<StoredTranscript> {
    const fitting = (await this.list()).filter(
      ({ id }) => prefix !== '' && id.startsWith(prefix.toLowerCase()),
    );
    const [only, ...others] = fitting;
    if (!only || others.length > 0) throw new NoSuchTranscript(prefix, fitting.length);
    return only;
  }
}

class NoSuchTranscript extends Failure {
  readonly code = 'storage/no-such-transcript';
  readonly remedy = 'List the conversations of this workspace and give a longer part of the id.';

  constructor(prefix: string, count: number) {
    super(
      count === 0
        ? `there is no conversation "${prefix}" in this workspace`
        : `${count} conversations begin with "${prefix}"`,
    );
  }
}

class TranscriptInUse extends Failure {
  readonly code = 'storage/transcript-in-use';
  readonly remedy =
    'Close it in the other window or terminal and open it again here, or begin a new conversation.';

  constructor(id: string) {
    super(`the conversation ${id.slice(0, 8)} is open in another process`);
  }
}

/** A file that was deleted after it was listed is skipped. */
async function dated(id: string, path: string): Promise<readonly StoredTranscript[]> {
  const found = await stat(path).catch(() => undefined);
  return found ? [{ id, path, modifiedAt: found.mtimeMs }] : [];
}

/**
 * Remembers where the user worked: workspaces, and the files that were open in each, in one file of the user.
 *
 * Invariants: what is read is parsed, and a file that cannot be understood counts as empty. Each change is made to what the file
 * holds at that moment, so that editors of several workspaces add to it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { isMissing } from '../base/errno.ts';
import { FifoLock } from '../base/fifo-lock.ts';
import { failureLogger } from '../base/log.ts';
import { neverAborts } from '../base/never-aborts.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { makePrivateDirectory, stateDirectory } from '../storage/user-directories.ts';
import type { Buffers } from './buffers.ts';
import type { EditorContext } from './editor-context.ts';
import type { EditorFeature, Handlers } from './editor-feature.ts';
import type { ResultOf } from './protocol.ts';

const recent = z.array(z.object({ root: z.string(), at: z.number(), files: z.array(z.string()) }));
type Recent = z.infer<typeof recent>;

const mostWorkspaces = 20;
const mostFiles = 20;

export class StartFeature implements EditorFeature<'start.read'> {
  readonly #context: EditorContext;
  readonly #directory: string;
  readonly #subscription: Disposable;
  readonly #writing = new FifoLock();
  #pending: Promise<void> = Promise.resolve();

  constructor(context: EditorContext, buffers: Buffers) {
    this.#context = context;
    this.#directory = join(stateDirectory(context.forerun.env), 'editor');
    this.#subscription = buffers.changed.subscribe(({ path, kind }) => {
      if (kind === 'opened') this.#remember([path]);
    });
    this.#remember([]);
  }

  readonly handlers: Handlers<'start.read'> = {
    'start.read': async () => this.#read(),
  };

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription[Symbol.dispose]();
    await this.#pending;
  }

  async #read(): Promise<ResultOf<'start.read'>> {
    await this.#pending;
    const { workspace } = this.#context.live;
    const known = this.#stored();
    const own = known.find(({ root }) => root === workspace.root);
    return {
      workspaces: known
        .filter(({ root }) => root !== workspace.root && existsSync(root))
        .map(({ root, at }) => ({ root, name: basename(root), at })),
      files: (own?.files ?? []).filter((path) => existsSync(join(workspace.root, path))),
    };
  }

  #remember(paths: readonly string[]): void {
    this.#pending = this.#pending
      .then(() => this.#write(paths))
      .catch(failureLogger(this.#context.log, 'editor.recent-unwritten'));
  }

  async #write(paths: readonly string[]): Promise<void> {
    using _held = await this.#writing.acquire(neverAborts());
    const { root } = this.#context.live.workspace;
    const known = this.#stored();
    const before = known.find((each) => each.root === root)?.files ?? [];
    const files = [...new Set([...paths, ...before])].slice(0, mostFiles);
    const others = known.filter((each) => each.root !== root);
    makePrivateDirectory(this.#directory);
    const next: Recent = [{ root, at: Date.now(), files }, ...others].slice(0, mostWorkspaces);
    await replaceFile(this.#file, JSON.stringify(next));
  }

  get #file(): string {
    return join(this.#directory, 'recent.json');
  }

  #stored(): Recent {
    try {
      return recent.safeParse(JSON.parse(readFileSync(this.#file, 'utf8'))).data ?? [];
    } catch (thrown) {
      if (!isMissing(thrown)) {
        this.#context.log.warning('editor.recent-unreadable', { code: 'editor/recent-unreadable' });
      }
      return [];
    }
  }
}

/**
 * Keeps the settings of pages: those of the user in one file, those of a workspace in one of its own, none in the workspace.
 *
 * Invariants: what is read is parsed, and a file that cannot be understood counts as empty. Changes are written one after the
 * other, each as a whole file.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { isMissing } from '../base/errno.ts';
import { FifoLock } from '../base/fifo-lock.ts';
import { neverAborts } from '../base/never-aborts.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { makePrivateDirectory, stateDirectory } from '../storage/user-directories.ts';
import { workspaceKey } from '../storage/workspace-key.ts';
import type { EditorContext } from './editor-context.ts';
import type { EditorFeature, Handlers } from './editor-feature.ts';
import { pageSettings } from './protocol/setting.ts';
import type { Snapshot } from './protocol.ts';

type SettingMethod = 'setting.set' | 'setting.setKeys' | 'setting.setLayout';
type PageSettings = z.infer<typeof pageSettings>;

const userPart = pageSettings.pick({ user: true, keys: true });
const workspacePart = pageSettings.pick({ workspace: true, layout: true });

export class SettingFeature implements EditorFeature<SettingMethod> {
  readonly #context: EditorContext;
  readonly #directory: string;
  readonly #writing = new FifoLock();
  #settings: PageSettings = { user: {}, workspace: {}, keys: {} };

  constructor(context: EditorContext) {
    this.#context = context;
    this.#directory = join(stateDirectory(context.forerun.env), 'editor');
    const user = userPart.safeParse(this.#read(this.#userFile)).data;
    const workspace = workspacePart.safeParse(this.#read(this.#workspaceFile)).data;
    this.#settings = { ...this.#settings, ...user, ...workspace };
  }

  readonly handlers: Handlers<SettingMethod> = {
    'setting.set': async ({ scope, key, value }) => {
      const { [key]: _, ...rest } = this.#settings[scope];
      this.#settings = { ...this.#settings, [scope]: value === undefined ? rest : { ...rest, [key]: value } };
      return await this.#keep(scope);
    },
    'setting.setKeys': async ({ command, keys }) => {
      const { [command]: _, ...rest } = this.#settings.keys;
      this.#settings = { ...this.#settings, keys: keys === undefined ? rest : { ...rest, [command]: keys } };
      return await this.#keep('user');
    },
    'setting.setLayout': async ({ layout }) => {
      this.#settings = { ...this.#settings, layout };
      return await this.#write('workspace');
    },
  };

  snapshot(): Partial<Snapshot> {
    return { settings: this.#settings };
  }

  get #userFile(): string {
    return join(this.#directory, 'settings.json');
  }

  get #workspaceFile(): string {
    return join(this.#directory, `${workspaceKey(this.#context.live.workspace.root)}.json`);
  }

  async #keep(scope: 'user' | 'workspace'): Promise<Record<string, never>> {
    const { user, workspace, keys } = this.#settings;
    this.#context.publish({ kind: 'setting.changed', settings: { user, workspace, keys } });
    return await this.#write(scope);
  }

  async #write(scope: 'user' | 'workspace'): Promise<Record<string, never>> {
    using _ = await this.#writing.acquire(neverAborts());
    makePrivateDirectory(this.#directory);
    const { user, keys, workspace, layout } = this.#settings;
    const part = scope === 'user' ? { user, keys } : { workspace, layout };
    await replaceFile(scope === 'user' ? this.#userFile : this.#workspaceFile, JSON.stringify(part));
    return {};
  }

  #read(file: string): unknown {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch (thrown) {
      if (!isMissing(thrown)) {
        this.#context.log.warning('editor.settings-unreadable', { code: 'editor/settings-unreadable', file });
      }
      return undefined;
    }
  }
}

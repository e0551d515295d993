/**
 * The project of a build or test run: its root, its toolchain and the part that is selected.
 *
 * Invariant: every path exists and lies inside the root after links are followed.
 */
import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { isMissing } from '../../base/errno.ts';
import { languageId } from '../../servers/language.ts';
import { NotNarrowable } from '../../toolchain/build-failure.ts';
import type { Target, Toolchain } from '../../toolchain/toolchain.ts';
import { toolchainFor } from '../../toolchain/toolchains.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { InvalidArgument, MissingArgument } from '../failure.ts';
import { during } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';

export interface ProjectRequest {
  readonly workspace_dir?: string | undefined;
  readonly workspace_root?: string | undefined;
  readonly path?: string | undefined;
  readonly language?: string | undefined;
}

export interface Project {
  readonly workspace: Workspace;
  readonly toolchain: Toolchain;
  readonly target: Target | undefined;
  /** The path of a file named by the caller, relative to the root. */
  fileIn(argument: string): Promise<string>;
}

export async function findProject(
  { workspaces }: Pick<ToolContext, 'workspaces'>,
  request: ProjectRequest,
  signal: AbortSignal,
): Promise<Project> {
  const directory = request.workspace_dir ?? request.workspace_root;
  if (directory === undefined) throw new MissingArgument('workspace_dir is required', 'workspace_dir');
  if (!isAbsolute(directory))
    throw new InvalidArgument(`workspace_dir "${directory}" is not an absolute path`);
  const named = request.language === undefined ? undefined : languageId(request.language);
  const inferred = await during('inferring workspace root', async () => {
    const asked = await workspaces.locator.locate(directory);
    return (await workspaces.locator.inferProject(asked.root, signal)) ?? { root: asked.root };
  });
  const workspace = await workspaces.locator.locate(inferred.root);
  const language = named ?? (await actualLanguage(inferred));
  const toolchain = await toolchainFor(language, workspace.root);
  if (toolchain.narrowing === 'none' && request.path !== undefined) {
    throw new NotNarrowable('path', `the ${toolchain.languages[0]} tools`);
  }
  return {
    workspace,
    toolchain,
    target: await targetOf(workspace, directory, request.path),
    fileIn: async (argument) => (await existing(workspace, resolve(directory, argument), argument)).path,
  };
}

/** A package manifest means TypeScript only if TypeScript is configured. */
async function actualLanguage(inferred: {
  readonly root: string;
  readonly language?: string;
}): Promise<string | undefined> {
  if (inferred.language !== 'typescript') return inferred.language;
  const names = await readdir(inferred.root);
  return names.some((name) => /^tsconfig(\..+)?\.json$/.test(name)) ? 'typescript' : 'javascript';
}

/** A directory below the root restricts the run to itself, as a path does. */
async function targetOf(
  workspace: Workspace,
  directory: string,
  argument: string | undefined,
): Promise<Target | undefined> {
  const [place = '', ...selectors] = (argument ?? '.').split('::');
  // Go writes `dir/...` for a directory and everything below it.
  const bare = place.replace(/(^|\/)\.\.\.$/, '') || '.';
  const target = await existing(workspace, resolve(directory, bare), place);
  if (target.path === '') return undefined;
  return selectors.length > 0 ? { ...target, selector: selectors.join('::') } : target;
}

async function existing(workspace: Workspace, absolute: string, argument: string): Promise<Target> {
  const path = await workspace.resolve(absolute);
  try {
    const isDirectory = (await stat(workspace.absolute(path))).isDirectory();
    return { path, kind: isDirectory ? 'directory' : 'file' };
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    throw new InvalidArgument(`path "${argument}" does not exist`, 'Name a file or directory that exists.');
  }
}

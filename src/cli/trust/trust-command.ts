/** `forerun trust`: manages the workspaces that may run their own programs. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Log } from '../../base/log.ts';
import { trustStore } from '../../host/user-trust.ts';
import { workspaceDirectory } from '../../host/workspace-directory.ts';
import { realPathOf } from '../../workspace/real-path.ts';
import type { TrustStore } from '../../workspace/trust.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import type { ProcessLifetime } from '../process-lifetime.ts';

export interface TrustCommandOptions {
  readonly action: 'trust' | 'revoke' | 'list';
  /** As typed; absent: the workspace of the current directory. */
  readonly directory: string | undefined;
  readonly format: 'human' | 'json';
  readonly log: Log;
}

/** The output: JSON for programs, or lines for a person. */
interface Answer {
  readonly code: ExitCode;
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
}

export async function trustCommand(
  { signal }: ProcessLifetime,
  options: TrustCommandOptions,
): Promise<ExitCode> {
  const store = trustStore({ env: process.env, log: options.log });
  const answer =
    options.action === 'list' ? listed(store) : changed(store, await pathOf(options, signal), options.action);
  const { code, json, text } = answer;
  process.stdout.write(options.format === 'json' ? `${JSON.stringify(json, undefined, 2)}\n` : text);
  return code;
}

/** A given directory is used as it is; a deleted one can still be revoked. */
async function pathOf({ action, directory }: TrustCommandOptions, signal: AbortSignal): Promise<string> {
  const named = directory === undefined ? undefined : resolve(directory);
  if (named !== undefined && action === 'revoke' && !existsSync(named)) return named;
  return named === undefined
    ? workspaceDirectory(process.cwd(), process.env, signal)
    : (await Workspace.open(named)).root;
}

function changed(store: TrustStore, path: string, action: 'trust' | 'revoke'): Answer {
  const outcome = action === 'trust' ? trusted(store, path) : store.revoke(path);
  const trust = store.trustOf(path);
  const json = { path: realPathOf(path), outcome, trust };
  return { json, text: sentence(realPathOf(path), outcome, trust), code: codeOf(outcome, trust) };
}

function trusted(store: TrustStore, path: string): 'trusted' {
  store.trust(path);
  return 'trusted';
}

type Outcome = 'trusted' | 'revoked' | 'unknown';

/** Revoking fails if the workspace stays trusted by other means. */
function codeOf(outcome: Outcome, trust: 'trusted' | 'untrusted'): ExitCode {
  return outcome === 'trusted' || (outcome === 'revoked' && trust === 'untrusted')
    ? exitCodes.good
    : exitCodes.bad;
}

function sentence(path: string, outcome: Outcome, trust: 'trusted' | 'untrusted'): string {
  const still =
    trust === 'trusted'
      ? 'It is still trusted, by trust.folders in your settings or by the repository around it.\n'
      : '';
  switch (outcome) {
    case 'trusted':
      return `trusted ${path}\nIts own programs may run now. To revoke this: forerun trust --revoke ${path}\n`;
    case 'revoked':
      return `revoked ${path}\n${still}`;
    case 'unknown':
      return `${path} was not in the list of trusted workspaces (see forerun trust --list)\n${still}`;
  }
}

function listed(store: TrustStore): Answer {
  const workspaces = store.list();
  const { folders } = store;
  const lines = [
    ...workspaces.map(({ path, since }) => `${path}  since ${since.slice(0, 10)}`),
    ...folders.map((folder) => `${folder}  and every workspace in it (trust.folders)`),
  ];
  const text = lines.length > 0 ? `${lines.join('\n')}\n` : 'No workspace is trusted.\n';
  return { json: { trusted: workspaces, folders, file: store.file }, text, code: exitCodes.good };
}

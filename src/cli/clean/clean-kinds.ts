/**
 * All files Forerun stores for a user, as data: their directories, limits and exceptions.
 *
 * Invariant: only entries with names we create, in the directories named here, are removed. Decisions of the user
 * (settings, trust) and journals that recovery may need are not in the table.
 */
import { tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import type { Environment } from '../../base/environment.ts';
import { ownerOf } from '../../broker/broker-claim.ts';
import { brokersIn, filesIn, logsIn } from '../../broker/broker-paths.ts';
import type { Settings } from '../../config/settings.ts';
import { runDirectories } from '../../host/status/run-directory.ts';
import { brokerHome, referenceCacheDirectory } from '../../host/user-settings.ts';
import { lockHolder } from '../../process/file-lock.ts';
import { isLiving } from '../../process/living-process.ts';
import { checkoutsNamePattern, isOwnerRunning } from '../../queue/checkout-owner.ts';
import type { KeptKind, KeptLimits } from '../../storage/kept-files.ts';
import { auditFile, cachePlaces, statePlaces } from '../../storage/own-places.ts';
import { cacheDirectory, homeDirectory, stateDirectory } from '../../storage/user-directories.ts';
import { workspaceKeyPattern } from '../../storage/workspace-key.ts';
import { LivingProcesses } from './clean-use.ts';

export function keptKinds(
  env: Environment,
  settings: KeptSettings,
  processes: Pick<LivingProcesses, 'haveOpen' | 'mention'> = new LivingProcesses(),
): readonly KeptKind[] {
  const request: KindsRequest = {
    env,
    ...settings,
    isOpen: (path) => processes.haveOpen(path),
    isMentioned: (path) => processes.mention(path),
  };
  return [...stateKinds(request), ...cacheKinds(request), ...processKinds(request)];
}

/** The settings for directories and limits. */
export type KeptSettings = Pick<Settings, 'storage' | 'servers' | 'daemon'>;

interface KindsRequest extends KeptSettings {
  readonly env: Environment;
  readonly isOpen: (path: string) => Promise<boolean>;
  readonly isMentioned: (path: string) => Promise<boolean>;
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const dayMs = 24 * 3_600_000;
const megabyte = 1024 * 1024;

function limitsOf(days: number, megabytes: number): KeptLimits {
  return { maxAgeMs: days * dayMs, maxBytes: megabytes * megabyte };
}

function stateKinds({ env, storage, isOpen }: KindsRequest): readonly KeptKind[] {
  const state = stateDirectory(env);
  const conversations = limitsOf(storage.conversationDays, storage.conversationMegabytes);
  const sessions = limitsOf(storage.sessionDays, storage.sessionMegabytes);
  const logs = limitsOf(storage.logDays, storage.logMegabytes);
  return [
    {
      name: 'conversations',
      about: 'conversations of forerun chat',
      directories: [statePlaces.conversations(state)],
      names: [workspaceKeyPattern, new RegExp(`^${uuid}\\.jsonl$`)],
      limits: conversations,
      isInUse: isOpen,
    },
    {
      name: 'history',
      about: 'lines typed in forerun chat',
      directories: [statePlaces.histories(state)],
      names: [/^[0-9a-f]{16}\.jsonl$/],
      limits: conversations,
      isInUse: isOpen,
    },
    {
      name: 'sessions',
      about: 'speculative sessions of ended processes',
      directories: [statePlaces.sessions(state)],
      names: [workspaceKeyPattern, new RegExp(`^${uuid}(?:\\.lock)?$`)],
      limits: sessions,
      // A session untouched for so long may be removed; its owner stores it again with the next edit.
      isInUse: async (path) => path.endsWith('.lock') && lockHolder(path) !== undefined,
    },
    {
      name: 'journals',
      about: 'journals of interrupted commits that could not be recovered',
      directories: [statePlaces.journals(state)],
      // Journals beside this directory are live: the next opening of the workspace recovers from them.
      names: [workspaceKeyPattern, /^set-aside$/, new RegExp(`^${uuid}\\.(?:pending|committed)$`)],
      limits: sessions,
    },
    {
      name: 'edits',
      about: 'texts of files before agents edited them, kept by forerun hook',
      directories: [statePlaces.editRecords(state)],
      names: [/^[0-9a-f]{32}$/],
      limits: sessions,
    },
    {
      name: 'outcomes',
      about: 'statistics of speculation',
      directories: [state],
      names: [/^speculation\.jsonl(?:\.\d+)?$/],
      limits: logs,
      isInUse: isOpen,
    },
    {
      name: 'audit',
      about: 'the audit log of tool calls',
      directories: [dirname(auditFile(homeDirectory(env)))],
      names: [/^audit\.jsonl(?:\.\d+)?$/],
      limits: logs,
      isInUse: isOpen,
    },
  ];
}

function cacheKinds({ env, storage, servers, isOpen, isMentioned }: KindsRequest): readonly KeptKind[] {
  const limits = limitsOf(storage.cacheDays, storage.cacheMegabytes);
  const references = referenceCacheDirectory({ servers }, env);
  return [
    {
      name: 'references',
      about: 'cached answers of language servers',
      directories: references === undefined ? [] : [references],
      names: [workspaceKeyPattern],
      limits,
      isInUse: isOpen,
    },
    {
      name: 'cargo-target',
      about: 'build output of cargo checks',
      directories: [cachePlaces.cargoTargets(cacheDirectory(env))],
      names: [/-[0-9a-f]{16}$/],
      limits,
      isInUse: isMentioned,
    },
    {
      name: 'mirrors',
      about: 'copies of the repositories that forerun worker evaluates',
      directories: [cachePlaces.mirrors(cacheDirectory(env))],
      names: [workspaceKeyPattern],
      limits,
      // The process that reads its objects has it as working directory; workers elsewhere date it.
      isInUse: isMentioned,
    },
  ];
}

/** Files that killed processes leave behind. */
function processKinds({ env, storage, daemon, isOpen, isMentioned }: KindsRequest): readonly KeptKind[] {
  const logs = limitsOf(storage.logDays, storage.logMegabytes);
  const leftOvers = limitsOf(1, storage.cacheMegabytes);
  const home = brokerHome({ daemon }, env);
  return [
    {
      name: 'broker-logs',
      about: 'logs of shared language servers',
      directories: [logsIn(home)],
      names: [/^[\w.-]+-[0-9a-f]{16}\.log$/],
      limits: logs,
      isInUse: isOpen,
    },
    {
      name: 'brokers',
      about: 'directories of ended shared language servers',
      directories: [brokersIn(home)],
      names: [workspaceKeyPattern],
      limits: leftOvers,
      isInUse: async (path) => ownerOf(filesIn(path, env)) !== undefined,
    },
    {
      name: 'sockets',
      about: 'status sockets of ended processes',
      directories: process.platform === 'win32' ? [] : runDirectories(env),
      names: [/^\d+\.sock$/],
      limits: leftOvers,
      isInUse: async (path) => isLiving({ pid: Number.parseInt(basename(path), 10), started: '' }),
    },
    {
      name: 'checkouts',
      about: 'checkouts of ended workers',
      directories: [cachePlaces.checkouts(cacheDirectory(env))],
      names: [checkoutsNamePattern],
      limits: leftOvers,
      // A worker on another machine that shares the directory dates what is its own.
      isInUse: async (path) => isOwnerRunning(basename(path)) ?? isMentioned(path),
    },
    {
      name: 'mounts',
      about: 'scratch directories of sandboxes and mounted workspaces',
      directories: [cachePlaces.mounts(cacheDirectory(env))],
      names: [scratchName],
      limits: leftOvers,
      isInUse: isMentioned,
    },
    {
      name: 'scratch',
      about: 'scratch directories in the temporary directories',
      directories: [...new Set([tmpdir(), '/dev/shm', '/var/tmp'])],
      access: 'shared',
      names: [scratchName],
      limits: leftOvers,
      isInUse: isMentioned,
    },
  ];
}

/** Our prefixes as `mkdtemp` completes them. */
const scratchName = /^forerun-(?:mount|run|proof|index)-[A-Za-z0-9]{6}$/;

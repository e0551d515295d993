/**
 * The arguments of `forerun mcp`: servers, transport and log level.
 *
 * Parsed by hand instead of by the parser of the other commands: syntax and error sentences are contract, and serving
 * must start without loading more than it needs.
 */
import { isIP } from 'node:net';
import { Failure } from '../../base/failure.ts';
import { type LogLevel, logLevels } from '../../base/log.ts';
import { type DaemonChoice, daemonChoices } from '../../config/daemon-choice.ts';
import type { ToolsetName } from '../../tools/toolset.ts';

export interface McpArguments {
  readonly servers: ServerChoice;
  readonly logLevel?: LogLevel;
  /** The listed part of the catalogue; absent: all. */
  readonly toolset?: ToolsetName;
  /** Whether servers are shared with other processes; absent: as in the settings. */
  readonly daemon?: DaemonChoice;
  /** Absent: over standard input and output. */
  readonly http?: HttpArguments;
  /** The audit log; absent: as in the settings. */
  readonly auditLog?: string;
  /** The only directories in which workspaces are opened; absent: any. */
  readonly roots?: readonly string[];
  /** Whether the workspace of the current directory may run its own programs, regardless of stored trust. */
  readonly trust?: boolean;
  /** Whether sessions are judged on the workers of the queue in the settings. */
  readonly queue?: boolean;
}

export interface HttpArguments {
  readonly port: number;
  readonly address: string;
  /** Given on the command line, where every user of this machine can read it. */
  readonly token?: string;
  readonly tokenFile?: string;
  readonly auth: 'required' | 'none';
  /** Further host names of this server. */
  readonly allowedHosts: readonly string[];
}

export type ServerChoice =
  | { readonly kind: 'detect' }
  | { readonly kind: 'specs'; readonly specs: readonly string[] }
  /** One server by language, binary and arguments, as separate words. */
  | { readonly kind: 'single'; readonly language: string; readonly command: readonly string[] }
  | { readonly kind: 'config'; readonly file: string; readonly base: 'nothing' | 'detected' };

class BadUsage extends Failure {
  readonly code = 'cli/bad-usage';
  readonly remedy =
    'See `forerun --help` for the commands and `forerun mcp --help` for what serving accepts.';
}

export function readMcpArguments(words: readonly string[]): McpArguments {
  const rest: string[] = [];
  const draft: Draft = { ...defaultHttp };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [name = '', inline] = splitFlag(word);
    const value = (sentence = `${name} requires a value`): string => {
      const given = inline ?? words[++at];
      if (given === undefined || given === '') throw new BadUsage(sentence);
      return given;
    };
    const take = flags[name];
    if (take) take(draft, value);
    else if (word.startsWith('-') && !isSingleForm(rest)) throw new BadUsage(`unknown option "${word}"`);
    else rest.push(word);
  }
  return argumentsOf(draft, rest);
}

/** The parsed arguments; options that were not given are absent. */
function argumentsOf(draft: Draft, rest: readonly string[]): McpArguments {
  const { choice, logLevel, toolset, auditLog, daemon, roots, trust, queue, isHttp, ...http } = draft;
  return {
    servers: choice ?? choiceOf(rest),
    ...(logLevel && { logLevel }),
    ...(toolset && { toolset }),
    ...(daemon && { daemon }),
    ...(trust && { trust }),
    ...(queue && { queue }),
    ...(isHttp && { http }),
    ...(auditLog !== undefined && { auditLog }),
    ...(roots && { roots }),
  };
}

/** The arguments parsed so far. */
interface Draft extends Mutable<HttpArguments> {
  choice?: ServerChoice;
  logLevel?: LogLevel;
  toolset?: ToolsetName;
  auditLog?: string;
  daemon?: DaemonChoice;
  roots?: readonly string[];
  trust?: boolean;
  queue?: boolean;
  isHttp?: boolean;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

const defaultHttp: HttpArguments = { port: 8080, address: '127.0.0.1', auth: 'required', allowedHosts: [] };

const pathMissing = (flag: string): string => `${flag} requires a file path argument`;

const flags: Readonly<Record<string, (draft: Draft, value: (sentence?: string) => string) => void>> = {
  '--auto': (draft) => {
    draft.choice ??= { kind: 'detect' };
  },
  '--config': (draft, value) => {
    draft.choice = { kind: 'config', file: value(pathMissing('--config')), base: 'nothing' };
  },
  '--merge-config': (draft, value) => {
    draft.choice = { kind: 'config', file: value(pathMissing('--merge-config')), base: 'detected' };
  },
  '--log-level': (draft, value) => {
    draft.logLevel = readLevel(value());
  },
  '--toolset': (draft, value) => {
    draft.toolset = readToolset(value());
  },
  '--audit-log': (draft, value) => {
    draft.auditLog = value();
  },
  '--daemon': (draft, value) => {
    draft.daemon = readDaemon(value());
  },
  '--root': (draft, value) => {
    draft.roots = [...(draft.roots ?? []), value('--root requires a directory argument')];
  },
  '--trust': (draft) => {
    draft.trust = true;
  },
  '--queue': (draft) => {
    draft.queue = true;
  },
  '--http': (draft) => {
    draft.isHttp = true;
  },
  '--port': (draft, value) => {
    draft.port = readPort(value());
  },
  '--listen-addr': (draft, value) => {
    draft.address = readAddress(value());
  },
  '--token': (draft, value) => {
    draft.token = value();
  },
  '--token-file': (draft, value) => {
    draft.tokenFile = value(pathMissing('--token-file'));
  },
  '--no-auth': (draft) => {
    draft.auth = 'none';
  },
  '--allow-host': (draft, value) => {
    draft.allowedHosts = [...draft.allowedHosts, value()];
  },
};

function choiceOf(words: readonly string[]): ServerChoice {
  const [first, binary, ...args] = words;
  if (first === undefined) return { kind: 'detect' };
  if (!isSingleForm(words) || binary === undefined) return { kind: 'specs', specs: words };
  return { kind: 'single', language: first, command: [binary, ...args] };
}

/** If the first word has no colon it is a language, followed by the command line of its server. */
function isSingleForm(words: readonly string[]): boolean {
  return words[0] !== undefined && !words[0].includes(':');
}

function splitFlag(word: string): readonly [string, string | undefined] {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

function readLevel(word: string): LogLevel {
  const level = logLevels.find((known) => known === word.toLowerCase());
  if (level) return level;
  throw new BadUsage(`--log-level value "${word}" is not one of: ${logLevels.join(', ')}`);
}

function readPort(word: string): number {
  if (!/^[+-]?\d+$/.test(word)) throw new BadUsage(`--port value "${word}" is not a valid integer`);
  const port = Number(word);
  if (port < 1 || port > 65535) throw new BadUsage(`--port value ${port} is out of range (1–65535)`);
  return port;
}

function readAddress(word: string): string {
  if (isIP(word) > 0) return word;
  throw new BadUsage(`--listen-addr value "${word}" is not a valid IP address`);
}

function readToolset(word: string): ToolsetName {
  if (word === 'core' || word === 'full') return word;
  throw new BadUsage(`--toolset value "${word}" is not one of: core, full`);
}

function readDaemon(word: string): DaemonChoice {
  const choice = daemonChoices.find((known) => known === word);
  if (choice) return choice;
  throw new BadUsage(`--daemon value "${word}" is not one of: ${daemonChoices.join(', ')}`);
}

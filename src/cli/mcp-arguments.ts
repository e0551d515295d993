/**
 * The words after `forerun mcp`: which servers to use, and how loud to be.
 *
 * Read by hand rather than by the argument parser of the other commands: its forms and sentences are contract, and
 * serving must start without loading anything it can do without.
 */
import { Failure } from '../base/failure.ts';
import { type LogLevel, logLevels } from '../base/log.ts';

export interface McpArguments {
  readonly servers: ServerChoice;
  readonly logLevel?: LogLevel;
}

export type ServerChoice =
  | { readonly kind: 'detect' }
  | { readonly kind: 'specs'; readonly specs: readonly string[] }
  /** One server by language, binary and its arguments, as separate words. */
  | { readonly kind: 'single'; readonly language: string; readonly command: readonly string[] }
  | { readonly kind: 'config'; readonly file: string; readonly base: 'nothing' | 'detected' };

class BadUsage extends Failure {
  readonly code = 'cli/bad-usage';
  readonly remedy =
    'See `forerun --help` for the commands and `forerun mcp --help` for what serving accepts.';
}

export function readMcpArguments(words: readonly string[]): McpArguments {
  const rest: string[] = [];
  let choice: ServerChoice | undefined;
  let logLevel: LogLevel | undefined;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const [name = '', inline] = splitFlag(word);
    const value = (sentence: string): string => {
      const given = inline ?? words[++at];
      if (given === undefined || given === '') throw new BadUsage(sentence);
      return given;
    };
    if (name === '--auto') choice ??= { kind: 'detect' };
    else if (name === '--config') {
      choice = { kind: 'config', file: value('--config requires a file path argument'), base: 'nothing' };
    } else if (name === '--merge-config') {
      choice = {
        kind: 'config',
        file: value('--merge-config requires a file path argument'),
        base: 'detected',
      };
    } else if (name === '--log-level') logLevel = readLevel(value('--log-level requires a value'));
    else if (word.startsWith('-') && !isSingleForm(rest)) throw new BadUsage(`unknown option "${word}"`);
    else rest.push(word);
  }
  return { servers: choice ?? choiceOf(rest), ...(logLevel && { logLevel }) };
}

function choiceOf(words: readonly string[]): ServerChoice {
  const [first, binary, ...args] = words;
  if (first === undefined) return { kind: 'detect' };
  if (!isSingleForm(words) || binary === undefined) return { kind: 'specs', specs: words };
  return { kind: 'single', language: first, command: [binary, ...args] };
}

/** A first word without a colon is a language, and what follows is its server's own command line. */
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

/** The level the environment asks for; an unknown word is told back so that the caller can warn of it. */
export function levelOfEnvironment(env: NodeJS.ProcessEnv): {
  readonly level?: LogLevel;
  readonly unknown?: string;
} {
  const word = env.FORERUN_LOG_LEVEL || env.AGENT_LSP_LOG_LEVEL || env.LOG_LEVEL;
  if (!word) return {};
  const level = logLevels.find((known) => known === word.toLowerCase());
  return level ? { level } : { unknown: word };
}

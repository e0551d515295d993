import { describe, expect, test } from 'vitest';
import { asFailure } from '../tools/failure.ts';
import { levelOfEnvironment, readMcpArguments } from './mcp-arguments.ts';

function read(...words: string[]): unknown {
  try {
    return readMcpArguments(words);
  } catch (thrown) {
    return asFailure(thrown).message;
  }
}

describe('the forms of serving', () => {
  test.each<[readonly string[], unknown]>([
    [[], { servers: { kind: 'detect' } }],
    [['--auto'], { servers: { kind: 'detect' } }],
    [
      ['go:gopls', 'c:clangd,--log=error'],
      { servers: { kind: 'specs', specs: ['go:gopls', 'c:clangd,--log=error'] } },
    ],
    [
      ['go', 'gopls', '-rpc.trace'],
      { servers: { kind: 'single', language: 'go', command: ['gopls', '-rpc.trace'] } },
    ],
    [['--config', 'x.json'], { servers: { kind: 'config', file: 'x.json', base: 'nothing' } }],
    [['--merge-config=x.json'], { servers: { kind: 'config', file: 'x.json', base: 'detected' } }],
    [
      ['--log-level', 'debug', 'go:gopls'],
      { servers: { kind: 'specs', specs: ['go:gopls'] }, logLevel: 'debug' },
    ],
    [['--config'], '--config requires a file path argument'],
    [['--log-level', 'loud'], expect.stringContaining('--log-level value "loud" is not one of:')],
    [['--nonsense'], 'unknown option "--nonsense"'],
  ])('%j', (words, expected) => {
    expect(read(...words)).toEqual(expected);
  });
});

test.each<[NodeJS.ProcessEnv, unknown]>([
  [{}, {}],
  [{ LOG_LEVEL: 'Debug' }, { level: 'debug' }],
  [{ LOG_LEVEL: 'info', FORERUN_LOG_LEVEL: 'error' }, { level: 'error' }],
  [{ LOG_LEVEL: 'loud' }, { unknown: 'loud' }],
])('the environment %j asks for %j', (env, expected) => {
  expect(levelOfEnvironment(env)).toEqual(expected);
});

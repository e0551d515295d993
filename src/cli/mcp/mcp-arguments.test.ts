import { describe, expect, test } from 'vitest';
import { asFailure } from '../../tools/failure.ts';
import { readMcpArguments } from './mcp-arguments.ts';

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
    [['--toolset', 'core'], { servers: { kind: 'detect' }, toolset: 'core' }],
    [['--daemon', 'on'], { servers: { kind: 'detect' }, daemon: 'on' }],
    [['--daemon=maybe'], '--daemon value "maybe" is not one of: auto, on, off'],
    [['--toolset=some'], '--toolset value "some" is not one of: core, full'],
    [
      ['--http', '--no-auth', 'go:gopls'],
      {
        servers: { kind: 'specs', specs: ['go:gopls'] },
        http: { port: 8080, address: '127.0.0.1', auth: 'none', allowedHosts: [] },
      },
    ],
    [
      ['go', 'gopls', '--http', '--port=9000', '--listen-addr', '::1', '--token', 's', '--allow-host', 'h'],
      {
        servers: { kind: 'single', language: 'go', command: ['gopls'] },
        http: { port: 9000, address: '::1', auth: 'required', token: 's', allowedHosts: ['h'] },
      },
    ],
    [['--audit-log', '/a.jsonl'], { servers: { kind: 'detect' }, auditLog: '/a.jsonl' }],
    [['--root', '/a', '--root=b'], { servers: { kind: 'detect' }, roots: ['/a', 'b'] }],
    [['--root'], '--root requires a directory argument'],
    [['--port'], '--port requires a value'],
    [['--port', 'x'], '--port value "x" is not a valid integer'],
    [['--port', '80.5'], '--port value "80.5" is not a valid integer'],
    [['--port', '0'], '--port value 0 is out of range (1–65535)'],
    [['--port', '65536'], '--port value 65536 is out of range (1–65535)'],
    [['--listen-addr', 'localhost'], '--listen-addr value "localhost" is not a valid IP address'],
    [['--listen-addr'], '--listen-addr requires a value'],
    [['--token'], '--token requires a value'],
    [['--token', ''], '--token requires a value'],
    [['--token-file'], '--token-file requires a file path argument'],
    [['--audit-log'], '--audit-log requires a value'],
    [['--config'], '--config requires a file path argument'],
    [['--log-level', 'loud'], expect.stringContaining('--log-level value "loud" is not one of:')],
    [['--nonsense'], 'unknown option "--nonsense"'],
  ])('%j', (words, expected) => {
    expect(read(...words)).toEqual(expected);
  });
});

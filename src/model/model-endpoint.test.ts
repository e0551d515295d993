import { expect, test } from 'vitest';
import { addressOf, isLoopback } from './model-endpoint.ts';

test.each([
  ['anthropic', 'https://api.example.com/', 'https://api.example.com'],
  ['anthropic', 'https://api.example.com/v1', 'https://api.example.com'],
  ['anthropic', 'https://example.com/claude/v1/', 'https://example.com/claude'],
  ['openai', 'https://example.com', 'https://example.com/v1'],
  ['openai', 'https://example.com/api/v1/', 'https://example.com/api/v1'],
  ['lmstudio', 'http://127.0.0.1:1234', 'http://127.0.0.1:1234/v1'],
  ['ollama', 'http://127.0.0.1:11434/api', 'http://127.0.0.1:11434'],
  ['ollama', 'http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434'],
] as const)('%s at %s is asked at %s', (provider, given, address) => {
  expect(addressOf(provider, given)).toBe(address);
});

test.each(['', 'localhost:1234', 'ftp://example.com', 'https://me:secret@example.com'])(
  'the address "%s" is refused, and no password is repeated',
  (given) => {
    expect(() => addressOf('openai', given)).toThrow(expect.objectContaining({ code: 'model/bad-address' }));
    expect(() => addressOf('openai', given)).not.toThrow(/secret/);
  },
);

test.each([
  ['http://127.0.0.1:1', true],
  ['http://127.9.9.9:1', true],
  ['http://[::1]:1', true],
  ['http://localhost', true],
  ['http://127.0.0.1.example.com', false],
  ['http://10.0.0.1', false],
  ['http://0.0.0.0', false],
  ['nonsense', false],
])('%s on this machine: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});

import { expect, test } from 'vitest';
import { Capabilities } from './capabilities.ts';

function capabilitiesOf(
  raw: Record<string, unknown>,
  ...registrations: [method: string, options?: unknown][]
): Capabilities {
  const capabilities = new Capabilities();
  capabilities.announce(raw);
  registrations.forEach(([method, options], at) => {
    capabilities.register({ id: String(at), method, options });
  });
  return capabilities;
}

test.each<[string, Capabilities, string, boolean]>([
  ['announced as true', capabilitiesOf({ hoverProvider: true }), 'hoverProvider', true],
  ['announced with options', capabilitiesOf({ renameProvider: {} }), 'renameProvider', true],
  ['announced as false', capabilitiesOf({ hoverProvider: false }), 'hoverProvider', false],
  ['announced as null', capabilitiesOf({ hoverProvider: null }), 'hoverProvider', false],
  ['absent', capabilitiesOf({}), 'hoverProvider', false],
  ['registered', capabilitiesOf({}, ['textDocument/diagnostic']), 'diagnosticProvider', true],
  [
    'registered though announced as false',
    capabilitiesOf({ hoverProvider: false }, ['textDocument/hover']),
    'hoverProvider',
    true,
  ],
  [
    'registered by a method of another name',
    capabilitiesOf({}, ['workspace/symbol']),
    'workspaceSymbolProvider',
    true,
  ],
])('a capability counts when it is there: %s', (_, capabilities, provider, expected) => {
  expect(capabilities.has(provider)).toBe(expected);
});

test('a registration ends with its unregistration', () => {
  const capabilities = capabilitiesOf({}, ['textDocument/hover']);
  capabilities.unregister('0');
  expect(capabilities.has('hoverProvider')).toBe(false);
});

test.each<[Record<string, unknown>, string]>([
  [{ textDocumentSync: 2 }, 'incremental'],
  [{ textDocumentSync: { change: 1 } }, 'full'],
  [{ textDocumentSync: { openClose: true } }, 'none'],
  [{}, 'none'],
])('documents are synchronised as announced: %j', (raw, expected) => {
  expect(capabilitiesOf(raw).syncKind).toBe(expected);
  expect(capabilitiesOf(raw, ['textDocument/didChange', { syncKind: 2 }]).syncKind).toBe('incremental');
});

test('diagnostics are pulled under every name the server has for them', () => {
  const registered = [
    ['textDocument/diagnostic', { identifier: 'syntax' }],
    ['textDocument/diagnostic', { identifier: 'semantic' }],
    ['textDocument/diagnostic', { identifier: 'syntax' }],
  ] satisfies [string, unknown][];
  expect(capabilitiesOf({ diagnosticProvider: {} }, ...registered).diagnosticIdentifiers).toEqual([
    undefined,
    'syntax',
    'semantic',
  ]);
  expect(capabilitiesOf({}).diagnosticIdentifiers).toEqual([undefined]);
});

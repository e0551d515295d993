import { expect, test } from 'vitest';
import { catalogue } from '../catalogue.ts';
import { requirements, toolSupport } from './tool-requirement.ts';

test('every tool and listed alias is classified once, and none that is not there', () => {
  const { supported, unsupported } = toolSupport(catalogue, () => false);
  const listed = catalogue.flatMap(({ name, listedAliases }) => [
    name,
    ...listedAliases.map((alias) => alias.name),
  ]);
  expect([...supported, ...unsupported].sort()).toEqual(listed.sort());
  expect(Object.keys(requirements).filter((name) => !catalogue.some((tool) => tool.name === name))).toEqual(
    [],
  );
});

test('a server with everything supports every tool', () => {
  expect(toolSupport(catalogue, () => true).unsupported).toEqual([]);
});

test.each([
  'start_lsp',
  'restart_lsp_server',
  'open_document',
  'close_document',
  'apply_edit',
  'set_log_level',
  'detect_lsp_servers',
  'get_diagnostics',
  'preview_edit',
])('%s works with every server', (name) => {
  expect(toolSupport(catalogue, () => false).supported).toContain(name);
});

test('a tool of several capabilities needs all of them, and its aliases go with it', () => {
  const without = (missing: string) =>
    toolSupport(catalogue, (capability) => capability !== missing).unsupported;
  expect(without('hoverProvider')).toEqual(['explore', 'explore_symbol', 'inspect_symbol']);
});

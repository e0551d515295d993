import { expect, test } from 'vitest';
import { NoWorkspace } from '../live/connection-workspaces.ts';
import { SessionNotFound } from '../session/failure.ts';
import { PathOutsideWorkspace } from '../workspace/workspace.ts';
import { asFailure } from './failure.ts';
import { during } from './tool.ts';

test('a failure that names no tool reaches a caller of tools with the tool that helps', async () => {
  const closed = new NoWorkspace();
  expect(closed.message + closed.remedy).not.toContain('start_lsp');
  const worded = asFailure(closed);
  expect(worded).toMatchObject({ code: closed.code, cause: closed });
  expect(worded.message).toBe('LSP client not initialized; call start_lsp first');
  expect(worded.remedy).toContain('Call start_lsp with root_dir');
  expect(asFailure(worded)).toBe(worded);
});

test('the steps of a tool keep these words, and are said once', async () => {
  const outside = new PathOutsideWorkspace('/etc/hosts', '/work');
  const inner = () => during('inner', () => Promise.reject(outside));
  await expect(during('outer', inner)).rejects.toMatchObject({
    message: 'outer: inner: file path "/etc/hosts" is outside workspace root "/work"',
    remedy: expect.stringContaining('add_workspace_folder'),
    code: outside.code,
  });
  expect(asFailure(new SessionNotFound('x'))).toMatchObject({
    message: 'session not found: x',
    remedy: expect.stringContaining('list_sessions'),
  });
});

/** Tools and front ends open directories through the connection's workspaces, where the boundary of `--root` is checked. */
import { expect, test } from 'vitest';
import { sourceFiles } from '../support/source-tree.ts';

test('no tool opens a directory past the boundary of its connection', async () => {
  const files = (await sourceFiles('src')).filter(
    ({ path }) => /src\/(tools|code|session|skills|mcp)\//.test(path) && !path.endsWith('.test.ts'),
  );
  expect(files.length).toBeGreaterThan(100);
  // The store watches a directory of ours, which no client names.
  const direct = files.filter(
    ({ path, text }) =>
      path !== 'src/session/session-store.ts' &&
      (/\bWorkspace\.open\(/.test(text) || /workspace-root\.ts'/.test(text)),
  );
  expect(direct.map(({ path }) => path)).toEqual([]);
});

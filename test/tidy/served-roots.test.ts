/** Tools and front ends open directories through the connection's workspaces, where the boundary of `--root` is checked. */
import { expect, test } from 'vitest';
import { sourceFiles } from '../support/source-tree.ts';

test('no tool opens a directory past the boundary of its connection', async () => {
  const files = (await sourceFiles('src')).filter(
    ({ path }) => /src\/(tools|code|session|skills|mcp)\//.test(path) && !path.endsWith('.test.ts'),
  );
  expect(files.length).toBeGreaterThan(100);
  const direct = files.filter(
    ({ text }) => /\bWorkspace\.open\(/.test(text) || /workspace-root\.ts'/.test(text),
  );
  expect(direct.map(({ path }) => path)).toEqual([]);
});

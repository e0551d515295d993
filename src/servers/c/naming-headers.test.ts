import { expect, test } from 'vitest';
import type { FileChange } from '../../overlay/overlay.ts';
import { hashContent } from '../../workspace/content-hash.ts';
import { parseWorkspacePath, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { headersNaming } from './naming-headers.ts';

const at = (path: string): WorkspacePath => parseWorkspacePath(path) ?? rootPath;
const text = (body: string) => ({ kind: 'text', text: body }) as const;

const headers: Readonly<Record<string, string>> = {
  'one.h': 'bool is_high(Level level) { return level == Level::high; }',
  'more.h': 'Level raise(Level low) { return Level::high; } // from low',
  'none.h': 'enum class Other { highest };',
};

const chosen = (before: string, after: string, limit: number): Promise<readonly WorkspacePath[]> => {
  const old = text(before);
  const change: FileChange = {
    kind: 'modified',
    path: at('level.h'),
    before: old,
    beforeHash: hashContent(old),
    after: text(after),
  };
  const textOf = async (path: WorkspacePath): Promise<string | undefined> => headers[path];
  return headersNaming([change], Object.keys(headers).map(at), { textOf, limit });
};

const head = '#pragma once\nenum class Level {\n';

test.each<readonly [string, string, string, number, readonly string[]]>([
  ['headers that name a word of a changed line', '  high,\n};\n', '};\n', 8, ['one.h', 'more.h']],
  ['those that name more of them first', '  low, high,\n};\n', '  low,\n};\n', 8, ['more.h', 'one.h']],
  ['no more than the limit', '  low, high,\n};\n', '  low,\n};\n', 1, ['more.h']],
  ['none for a brace', '  high,\n};\n', '  high,\n;\n', 8, []],
])('%s', async (_, before, after, limit, expected) => {
  expect(await chosen(head + before, head + after, limit)).toEqual(expected);
});

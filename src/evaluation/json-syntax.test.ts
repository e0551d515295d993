import { expect, test } from 'vitest';
import type { FileChange } from '../overlay/overlay.ts';
import { absentHash } from '../workspace/content-hash.ts';
import { parseWorkspacePath } from '../workspace/workspace-path.ts';
import { jsonSyntaxFindings } from './json-syntax.ts';

function change(name: string, before: string | undefined, after: string | undefined): FileChange {
  return {
    path: parseWorkspacePath(name) ?? expect.fail(),
    kind: before === undefined ? 'created' : after === undefined ? 'deleted' : 'modified',
    before: before === undefined ? undefined : { kind: 'text', text: before },
    after: after === undefined ? undefined : { kind: 'text', text: after },
    beforeHash: absentHash,
  };
}

test.each<[string, string, string | undefined, string | undefined, readonly string[]]>([
  ['cut in half', 'package.json', '{"name": "a"}\n', '{"name":', ['1:9 value expected']],
  ['place in a later line', 'data.json', '{}', '{\n  "a": 1\n  "b": 2\n}', ['3:3 comma expected']],
  ['new and wrong', 'new.json', undefined, '[1,', ['1:4 value expected']],
  ['empty', 'package.json', '{}', '', ['1:1 value expected']],
  ['a comment where none is read', 'package.json', '{}', '{} // x', ['1:4 invalid comment token']],
  ['a comment where it is read', 'tsconfig.json', '{}', '{ /* x */ "a": [1,], }', []],
  ['wrong before too', 'package.json', '{', '{"name":', []],
  ['mended', 'package.json', '{', '{}', []],
  ['a name that may hold YAML', '.eslintrc', '{}', 'root: true', []],
  ['deleted', 'data.json', '{}', undefined, []],
  ['another language', 'data.yaml', 'a: 1', '{"name":', []],
])('%s', (_case, name, before, after, expected) => {
  const found = jsonSyntaxFindings([change(name, before, after)]).map(({ diagnostic }) => {
    const { line, character } = diagnostic.range.start;
    return `${line + 1}:${character + 1} ${diagnostic.message.replace(/^.*: |\.$/g, '')}`;
  });
  expect(found).toEqual(expected);
});

/** An edit in one package of a monorepo is judged in all of them, whichever directory the command is started in. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runInProcess } from '../support/in-process-program.ts';
import { ScratchWorkspace } from '../support/scratch-workspace.ts';

const files = {
  'package.json': '{"name":"root","private":true,"workspaces":["packages/*"]}',
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, lib: ['es2023'], noEmit: true, module: 'preserve', types: [] },
    include: ['packages'],
  }),
  'packages/a/package.json': '{"name":"a"}',
  'packages/a/index.ts': 'export function add(a: number): number {\n  return Number(a);\n}\n',
  'packages/b/package.json': '{"name":"b"}',
  'packages/b/index.ts': "import { add } from '../a/index';\n\nexport const one = add(1);\n",
};

const patch = (name: string): string => `--- a/${name}
+++ b/${name}
@@ -1,3 +1,3 @@
-export function add(a: number): number {
+export function add(a: string): number {
   return Number(a);
 }
`;

let workspace: ScratchWorkspace;
beforeAll(async () => {
  workspace = await ScratchWorkspace.create(files);
});
afterAll(() => workspace[Symbol.asyncDispose]());

describe('a package of an npm workspace that is no repository', () => {
  test.each([
    ['from the package', 'index.ts'],
    ['from the root', 'packages/a/index.ts'],
  ])('whatif finds what breaks in the sibling, with a patch that names files %s', async (_from, name) => {
    const { code, stdout } = await runInProcess(['whatif', '-', '--json'], {
      cwd: workspace.at('packages/a'),
      input: patch(name),
    });
    expect({ code, text: stdout }).toMatchObject({
      code: 1,
      text: expect.stringContaining(workspace.at('packages/b/index.ts')),
    });
  });

  test('so does the hook', async () => {
    const input = JSON.stringify({
      file_path: workspace.at('packages/a/index.ts'),
      edits: [{ old_text: 'a: number', new_text: 'a: string' }],
    });
    const run = await runInProcess(['hook', '--mode', 'deny', '--deadline', '60000'], {
      cwd: workspace.at('packages/a'),
      input,
    });
    expect(JSON.parse(run.stdout)).toMatchObject({
      decision: 'deny',
      errors: [{ file: workspace.at('packages/b/index.ts') }],
    });
  });
});

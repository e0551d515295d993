import { expect, test } from 'vitest';
import { childOf, rootPath, type WorkspacePath } from '../../workspace/workspace-path.ts';
import { LinkedPackages } from './linked-packages.ts';

const importer = path('examples/todo/src/main.ts');

/** Whether the example's `lib` may be the package of that name in `packages/lib`. */
async function isLinked(
  files: Readonly<Record<string, unknown>>,
  example: Readonly<Record<string, unknown>> | undefined,
): Promise<boolean> {
  const all = {
    'packages/lib/package.json': { name: 'lib' },
    ...files,
    ...(example && { 'examples/todo/package.json': example }),
  };
  const texts = new Map(
    Object.entries(all).map(([name, content]) => [
      path(name),
      typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  );
  const manifests = new Map([...texts].filter(([name]) => name.endsWith('package.json')));
  const packages = new LinkedPackages({
    texts: manifests,
    read: (name) => texts.get(name),
    parse: (text) => (text === undefined ? undefined : JSON.parse(text)),
  });
  return packages.isLinked('lib', importer);
}

function path(name: string): WorkspacePath {
  return name.split('/').reduce(childOf, rootPath);
}

const asked = { dependencies: { lib: '^1.2.0' } };
const members = { 'package.json': { workspaces: ['packages/*'] } };

test.each<
  [string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>> | undefined, boolean]
>([
  ['nothing is linked without members', {}, asked, false],
  ['a version of a registry, asked for by no member', members, asked, false],
  ['a member', { 'package.json': { workspaces: ['packages/*', 'examples/*'] } }, asked, true],
  ['a member of a pnpm workspace', { 'pnpm-workspace.yaml': 'packages:\n  - "**"\n' }, asked, true],
  ['no member of a pnpm workspace', { 'pnpm-workspace.yaml': 'packages:\n  - "."\n' }, asked, false],
  [
    'a member of a nested workspace',
    { ...members, 'examples/package.json': { workspaces: ['todo'] } },
    asked,
    true,
  ],
  ['a list whose form is not read', { ...members, 'lerna.json': '{}' }, asked, true],
  ['a list that cannot be parsed', { 'pnpm-workspace.yaml': 'packages: [' }, asked, true],
  ['an address in the workspace', members, { dependencies: { lib: 'file:../../packages/lib' } }, true],
  ['a protocol', members, { devDependencies: { lib: 'workspace:^' } }, true],
  ['another name', members, { dependencies: { lib: 'npm:other@1' } }, true],
  ['a repository', members, { dependencies: { lib: 'someone/lib' } }, true],
  ['a version and an address', members, { ...asked, devDependencies: { lib: 'link:../lib' } }, true],
  ['a name that the manifest does not ask for', members, { dependencies: {} }, true],
  ['no manifest', members, undefined, true],
  ['a tag', members, { dependencies: { lib: 'latest' } }, false],
  ['any version', members, { dependencies: { lib: '*' } }, false],
])('%s', async (_, files, example, expected) => {
  expect(await isLinked(files, example)).toBe(expected);
});

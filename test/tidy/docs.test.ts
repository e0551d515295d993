/** Documents that derive from the code say what the code says, and documents in prose point at things that exist. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { apiPage } from '../../scripts/docs/api-page.ts';
import { headingIds, linksIn } from '../../scripts/docs/link-target.ts';
import { servedTools } from '../../scripts/docs/served-tools.ts';
import { settingsPage } from '../../scripts/docs/settings-page.ts';
import { linkedFolders, sitePages } from '../../scripts/docs/site.ts';
import { linkedFiles, siteDocuments } from '../../scripts/docs/site-documents.ts';
import { toolIndex } from '../../scripts/docs/tool-index.ts';
import { toolsPage } from '../../scripts/docs/tools-page.ts';
import { buildProgram } from '../../src/cli/program.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(top, path), 'utf8');

const guides = (await readdir(join(top, 'docs/guide'))).map((name) => `docs/guide/${name}`);
const pages = ['README.md', ...guides];

test('the index of tools is what scripts/generate-docs.ts writes', async () => {
  expect(await read('src/tools/defined-tools.ts')).toBe(toolIndex());
});

test('docs/tools.md is what scripts/generate-docs.ts writes', async () => {
  expect(await read('docs/tools.md')).toBe(toolsPage(servedTools));
});

test('docs/guide/settings.md is what scripts/generate-docs.ts writes', async () => {
  expect(await read('docs/guide/settings.md')).toBe(settingsPage());
});

test('docs/api.md is what scripts/generate-docs.ts writes', async () => {
  expect(await read('docs/api.md')).toBe(apiPage(top));
});

describe.each(pages)('%s', (page) => {
  test('names only commands and flags that exist', async () => {
    const program = buildProgram({ signal: new AbortController().signal, closing: () => {} }, () => {});
    const known = new Map(program.commands.map((command) => [command.name(), command]));
    const uses = [...(await read(page)).matchAll(/(?<![\w/.-])forerun ([a-z]+)([^`\n|]*)/g)].map(
      ([, name = '', rest = '']) => ({
        name,
        flags: rest.match(/(?<=\s)--[a-z-]+/g) ?? [],
      }),
    );
    const wrong = uses.flatMap(({ name, flags }) => {
      const command = known.get(name);
      if (!command) return [name];
      const nested = [command, ...command.commands].flatMap(({ options }) => options.map(({ long }) => long));
      return flags.filter((flag) => !nested.includes(flag)).map((flag) => `${name} ${flag}`);
    });
    expect(wrong).toEqual([]);
  });

  test('names only tools that exist', async () => {
    const tools = servedTools.flatMap(({ name, aliases, listedAliases }) => [
      name,
      ...aliases,
      ...listedAliases.map((alias) => alias.name),
    ]);
    const doors = ['find_tool', 'call_tool'];
    const fields = new Set(
      [...(await read(page)).matchAll(/"([a-z]+(?:_[a-z]+)+)":/g)].map(([, field = '']) => field),
    );
    const named = [...(await read(page)).matchAll(/`([a-z]+(?:_[a-z]+)+)`/g)].map(([, name = '']) => name);
    expect(named.filter((name) => ![...tools, ...doors].includes(name) && !fields.has(name))).toEqual([]);
  });

  test('every piece of JSON is JSON', async () => {
    const blocks = [...(await read(page)).matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => text);
    for (const block of blocks) expect(() => JSON.parse(block), block).not.toThrow();
  });
});

describe('links', async () => {
  const documents = await siteDocuments(top);
  const texts = new Map(documents.map(({ path, text }) => [path, text]));

  test.each(documents.map(({ path }) => path))(
    'of %s lead to a file, and to a heading in it',
    async (page) => {
      for (const { path, heading } of linksIn(texts.get(page) ?? '')) {
        const target = path === '' ? page : join(dirname(page), path);
        await expect(stat(join(top, target)), `${page} -> ${target}`).resolves.toBeDefined();
        if (heading !== undefined) expect(headingIds(await read(target)), target).toContain(heading);
      }
    },
  );

  test('of the site lead to its pages', async () => {
    const pages = sitePages(documents, await linkedFiles(top));
    const dangling = [...pages].flatMap(([page, html]) =>
      [...html.matchAll(/<a href="(?![a-z]+:|#)([^"#]+)/g)]
        .map(([, link = '']) => join(dirname(page), link))
        .filter((target) => !pages.has(target) && !isCopied(target))
        .map((target) => `${page} -> ${target}`),
    );
    expect(dangling).toEqual([]);
  });
});

/** Files that are in the site as they are in the repository. */
function isCopied(path: string): boolean {
  return linkedFolders.some((folder) => path.startsWith(`${folder}/`)) && existsSync(join(top, path));
}

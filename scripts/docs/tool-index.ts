/**
 * The text of src/tools/defined-tools.ts: every tool that a file below src/tools/<family>/ defines.
 *
 * Invariant: the text depends on the files alone, so that two runs write the same bytes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A tool is an exported constant of the type `Tool`; what a function builds is listed by whoever calls it. */
const definition = /^export const ([a-zA-Z]+): Tool\b/gm;

const typeImport = { path: 'tool.ts', line: 'type { Tool }' };

export function toolIndex(directory = new URL('../../src/tools/', import.meta.url)): string {
  const files = familiesIn(directory).flatMap((family) =>
    readdirSync(new URL(`${family}/`, directory))
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .sort()
      .map((name) => `${family}/${name}`),
  );
  const found = files.flatMap((path) => {
    const text = readFileSync(fileURLToPath(new URL(path, directory)), 'utf8');
    const names = [...text.matchAll(definition)].map(([, name = '']) => name).sort();
    return names.length === 0 ? [] : [{ path, names }];
  });
  return [
    '/** Every tool that a file of this folder defines. Written by `npm run docs`; do not edit. */',
    // In the order and the shape the formatter keeps imports in.
    ...[...found.map(({ path, names }) => ({ path, line: namedImports(path, names) })), typeImport]
      .sort((a, b) => (a.path.replace('.ts', '') < b.path.replace('.ts', '') ? -1 : 1))
      .map(({ path, line }) => `import ${line} from './${path}';`),
    '',
    'export const definedTools: readonly Tool[] = [',
    ...found.flatMap(({ names }) => names).map((name) => `  ${name},`),
    '];',
    '',
  ].join('\n');
}

function namedImports(path: string, names: readonly string[]): string {
  const line = `{ ${names.join(', ')} }`;
  const isTooWide = `import ${line} from './${path}';`.length > formattedWidth;
  return isTooWide ? `{\n${names.map((name) => `  ${name},\n`).join('')}}` : line;
}

/** As in biome.json. */
const formattedWidth = 110;

function familiesIn(directory: URL): readonly string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'internal')
    .map(({ name }) => name)
    .sort();
}

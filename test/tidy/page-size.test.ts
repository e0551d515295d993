import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

/** What the page may weigh before a person can type, compressed. */
const mostBytes = 400_000;

/** Packages that arrive with their part of the page, never with the first load. */
const later = ['@xterm/xterm', '@codemirror/merge', '@codemirror/lang-', '@codemirror/legacy-modes'];

test('the first load is small, and rarely used parts are in chunks of their own', {
  timeout: 120_000,
}, async () => {
  const configFile = fileURLToPath(new URL('../../vite.config.ts', import.meta.url));
  const result = await build({ configFile, logLevel: 'silent', build: { write: false } });
  const { output } = firstOf(result);
  const chunks = new Map(
    output.flatMap((each) => (each.type === 'chunk' ? [[each.fileName, each] as const] : [])),
  );
  const entry = [...chunks.values()].find(({ isEntry, name }) => isEntry && name === 'index');
  const first = withImports(entry?.fileName ?? '', chunks);
  const styles = output.filter(({ fileName }) => fileName.endsWith('.css') && /index/.test(fileName));
  const bytes = [
    ...first.map(({ code }) => code),
    ...styles.map((each) => ('source' in each ? each.source : '')),
  ]
    .map((text) => gzipSync(text).length)
    .reduce((sum, size) => sum + size, 0);
  expect(first.length).toBeGreaterThan(0);
  const modules = first.flatMap(({ moduleIds }) => moduleIds);
  expect(modules.some((id) => id.includes('@codemirror/view'))).toBe(true);
  expect(later.filter((name) => modules.some((id) => id.includes(`/node_modules/${name}`)))).toEqual([]);
  expect(bytes).toBeLessThan(mostBytes);
});

test('the page loads nothing from elsewhere and has no script of its own in the document', async () => {
  const html = await readFile(new URL('../../web/index.html', import.meta.url), 'utf8');
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(html.match(/<script\b[^>]*>[^<]+<\/script>/g)).toBeNull();
});

function firstOf(result: Awaited<ReturnType<typeof build>>): Rolldown.RolldownOutput {
  const outputs = Array.isArray(result) ? result : [result];
  const [found] = outputs.filter((each): each is Rolldown.RolldownOutput => 'output' in each);
  if (found === undefined) throw new Error('nothing was built');
  return found;
}

/** A chunk with all that it imports at once. */
function withImports(
  name: string,
  chunks: ReadonlyMap<string, Rolldown.OutputChunk>,
): readonly Rolldown.OutputChunk[] {
  const found = new Map<string, Rolldown.OutputChunk>();
  const visit = (each: string): void => {
    const chunk = chunks.get(each);
    if (chunk === undefined || found.has(each)) return;
    found.set(each, chunk);
    for (const imported of chunk.imports) visit(imported);
  };
  visit(name);
  return [...found.values()];
}

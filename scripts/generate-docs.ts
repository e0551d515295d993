/**
 * Writes what derives from the code: the index of tools, then the pages that list tools and settings. `npm run docs`.
 *
 * The page is rendered from the tools, so it is loaded after the index has been written.
 */
import { writeFile } from 'node:fs/promises';
import { settingsPage } from './docs/settings-page.ts';
import { toolIndex } from './docs/tool-index.ts';

await write('../src/tools/defined-tools.ts', toolIndex());
const [{ servedTools }, { toolsPage }] = await Promise.all([
  import('./docs/served-tools.ts'),
  import('./docs/tools-page.ts'),
]);
await write('../docs/tools.md', toolsPage(servedTools));
await write('../docs/guide/settings.md', settingsPage());

async function write(path: string, text: string): Promise<void> {
  const file = new URL(path, import.meta.url);
  await writeFile(file, text);
  console.log(`wrote ${file.pathname}`);
}

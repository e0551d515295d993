/**
 * Writes what derives from the code: the index of tools, then the pages that list tools and settings, and the reference of the
 * library. `npm run docs`.
 *
 * The page is rendered from the tools, so it is loaded after the index has been written.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { apiPage } from './docs/api-page.ts';
import { manPage } from './docs/man-page.ts';
import { settingsPage } from './docs/settings-page.ts';
import { toolIndex } from './docs/tool-index.ts';

await write('../src/tools/defined-tools.ts', toolIndex());
const [{ servedTools }, { toolsPage }] = await Promise.all([
  import('./docs/served-tools.ts'),
  import('./docs/tools-page.ts'),
]);
await write('../docs/tools.md', toolsPage(servedTools));
await write('../docs/guide/settings.md', settingsPage());
await write('../man/forerun.1', manPage());
await write('../docs/api.md', apiPage(fileURLToPath(new URL('..', import.meta.url))));

async function write(path: string, text: string): Promise<void> {
  const file = new URL(path, import.meta.url);
  await writeFile(file, text);
  console.log(`wrote ${file.pathname}`);
}

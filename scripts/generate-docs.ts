/** Writes the documents that derive from the code: `npx tsx scripts/generate-docs.ts`. */
import { writeFile } from 'node:fs/promises';
import { servedTools } from './docs/served-tools.ts';
import { toolsPage } from './docs/tools-page.ts';

const page = new URL('../docs/tools.md', import.meta.url);
await writeFile(page, toolsPage(servedTools));
console.log(`wrote ${page.pathname}`);

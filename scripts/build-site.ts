/** Builds the documents as a static site in `site`. `npm run docs:site`. */
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkedFolders, sitePages, siteStyle } from './docs/site.ts';
import { linkedFiles, siteDocuments } from './docs/site-documents.ts';

const top = fileURLToPath(new URL('..', import.meta.url));
const target = join(top, 'site');

await rm(target, { recursive: true, force: true });
const pages = sitePages(await siteDocuments(top), await linkedFiles(top));
for (const [path, html] of pages) {
  await mkdir(dirname(join(target, path)), { recursive: true });
  await writeFile(join(target, path), html);
}
await writeFile(join(target, 'style.css'), siteStyle);
await cp(join(top, 'docs', 'images'), join(target, 'docs', 'images'), { recursive: true });
for (const folder of linkedFolders) await cp(join(top, folder), join(target, folder), { recursive: true });
console.log(`${pages.size} pages, ${(await readdir(target, { recursive: true })).length} files in ${target}`);

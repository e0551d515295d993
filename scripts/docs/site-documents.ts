/** The documents that the site shows, in the order of their paths. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { linkedFolders, type SitePage } from './site.ts';

const others = ['bench/results.md', 'bench/truth.md'];

export async function siteDocuments(top: string): Promise<readonly SitePage[]> {
  const atTop = (await readdir(top)).filter((name) => name.endsWith('.md'));
  const below = await readdir(join(top, 'docs'), { recursive: true });
  const documents = below.filter((path) => path.endsWith('.md')).map((path) => `docs/${path}`);
  const paths = [...atTop, ...documents, ...others].sort();
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(top, path), 'utf8') })));
}

/** The files in folders that documents link to. */
export async function linkedFiles(top: string): Promise<readonly string[]> {
  const lists = linkedFolders.map(async (folder) =>
    (await readdir(join(top, folder))).map((name) => `${folder}/${name}`),
  );
  return (await Promise.all(lists)).flat().sort();
}

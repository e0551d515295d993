/**
 * Writes `server.json` and the fields of `package.json` that depend on where a release is published.
 *
 *     npx tsx scripts/registry-manifest.ts <https address of the repository> <name in the MCP registry>
 */
import { readFile, writeFile } from 'node:fs/promises';
import { publishedFields, serverManifest } from './docs/registry-manifest.ts';

const [repository, mcpName] = process.argv.slice(2);
if (repository === undefined || mcpName === undefined) {
  console.error(
    'usage: npx tsx scripts/registry-manifest.ts <https address of the repository> <name in the MCP registry>',
  );
  process.exit(64);
}
const manifest = JSON.parse(await readFile('package.json', 'utf8'));
const published = { repository, mcpName };
await writeFile('server.json', `${JSON.stringify(serverManifest(manifest, published), undefined, 2)}\n`);
await writeFile(
  'package.json',
  `${JSON.stringify({ ...manifest, ...publishedFields(published) }, undefined, 2)}\n`,
);

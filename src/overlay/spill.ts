import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, messageOf } from '../base/failure.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import { type ContentHash, encodeContent, hashContent, parseContentHash } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileSource } from '../workspace/file-source.ts';
import { parseWorkspacePath, type WorkspacePath } from '../workspace/workspace-path.ts';
import { hashesBeneath } from './internal/hashes-beneath.ts';
import { JsonReader } from './internal/json-reader.ts';
import { type LayerEntry, Overlay } from './overlay.ts';

/**
 * Keeps this layer of an overlay in a directory of its own, outside the workspace.
 *
 * Invariant: the manifest is put in place in one rename when all the files it names are written, and files
 * are never written over, so `directory` holds the last whole spill at every moment. With the layer go the
 * hashes of the contents it was made on: restored over a tree that changed meanwhile, its changes still
 * conflict where they should.
 */
export async function spillOverlay(overlay: Overlay, directory: string): Promise<void> {
  const generation = randomUUID();
  const files = join(directory, 'files', generation);
  await mkdir(files, { recursive: true });
  const entries = await mapConcurrently([...overlay.layer()], 16, async ([path, entry], index) => {
    if (entry === 'removed') return { path, kind: 'removed' };
    await writeFile(join(files, String(index)), bareBytes(entry), { flag: 'wx' });
    return { path, file: index, hash: hashContent(entry), ...traitsOf(entry) };
  });
  const renames = [...overlay.renames()].map(([to, from]) => ({ to, from }));
  const madeOn = [...(await hashesBeneath(overlay))].map(([path, hash]) => ({ path, hash }));
  await replaceFile(
    join(directory, manifestName),
    JSON.stringify({ version: formatVersion, generation, entries, renames, madeOn }),
  );
  for (const other of await readdir(join(directory, 'files'))) {
    if (other !== generation) await rm(join(directory, 'files', other), { recursive: true, force: true });
  }
}

/** The overlay last spilled to `directory`, over `base`. */
export async function restoreOverlay(directory: string, base: FileSource): Promise<Overlay> {
  const manifest = new JsonReader(await readManifest(directory), `manifest in "${directory}":`, CorruptSpill);
  if (manifest.get('version').count() !== formatVersion) manifest.get('version').refuse('is not one we read');
  const files = join(directory, 'files', parseGeneration(manifest.get('generation')));
  const layer = await mapConcurrently(
    manifest.get('entries').items(),
    16,
    async (entry): Promise<[WorkspacePath, LayerEntry]> => [
      parsePath(entry.get('path')),
      await restoreEntry(entry, files),
    ],
  );
  const renames = manifest.get('renames').items();
  const madeOn = manifest.get('madeOn').items();
  return Overlay.from({
    base,
    layer: new Map(layer),
    renames: new Map(renames.map((rename) => [parsePath(rename.get('to')), parsePath(rename.get('from'))])),
    madeOn: new Map(madeOn.map((known) => [parsePath(known.get('path')), parseHash(known.get('hash'))])),
  });
}

class CorruptSpill extends Failure {
  readonly code = 'overlay/corrupt-spill';
  readonly remedy = 'The kept changes cannot be restored; delete their directory and make them again.';
}

const formatVersion = 1;
const manifestName = 'manifest.json';

/** A byte order mark is a trait in the manifest, not part of the bytes, so text stays the text it was. */
function bareBytes(content: FileContent): Uint8Array {
  return content.kind === 'text' ? Buffer.from(content.text, 'utf8') : encodeContent(content);
}

function traitsOf(content: FileContent): object {
  if (content.kind === 'symlink') return { kind: content.kind };
  const { kind, mode } = content;
  return { kind, mode, bom: content.kind === 'text' ? content.bom : undefined };
}

async function readManifest(directory: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(join(directory, manifestName), 'utf8'));
  } catch (cause) {
    throw new CorruptSpill(`there is no readable manifest in "${directory}": ${messageOf(cause)}`, { cause });
  }
}

async function restoreEntry(entry: JsonReader, files: string): Promise<LayerEntry> {
  const kind = entry.get('kind').string();
  if (kind === 'removed') return 'removed';
  const file = join(files, String(entry.get('file').count()));
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new CorruptSpill(`cannot read "${file}": ${messageOf(cause)}`, { cause });
  });
  const content = parseContent(entry, kind, bytes);
  if (hashContent(content) !== parseHash(entry.get('hash'))) entry.refuse('does not match its file');
  return content;
}

function parseContent(entry: JsonReader, kind: string, bytes: Buffer): FileContent {
  const mode = entry.optional('mode')?.count();
  const withMode = mode === undefined ? {} : { mode };
  if (kind === 'binary') return { kind, bytes, ...withMode };
  const text = bytes.toString('utf8');
  if (kind === 'symlink') return { kind, target: text };
  if (kind !== 'text') return entry.get('kind').refuse('is unknown');
  return { kind, text, ...(entry.optional('bom')?.boolean() === true ? { bom: true } : {}), ...withMode };
}

function parsePath(path: JsonReader): WorkspacePath {
  const parsed = parseWorkspacePath(path.string());
  return parsed === undefined || parsed === '' ? path.refuse('is no path in a workspace') : parsed;
}

function parseHash(hash: JsonReader): ContentHash {
  return parseContentHash(hash.string()) ?? hash.refuse('is no hash');
}

/** It becomes part of a path, so it must be nothing but a name. */
function parseGeneration(generation: JsonReader): string {
  const name = generation.string();
  return /^[\w-]+$/.test(name) ? name : generation.refuse('is no name');
}

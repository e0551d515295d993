import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure, messageOf } from '../base/failure.ts';
import { readStored } from '../base/stored-json.ts';
import { replaceFile } from '../storage/replace-file.ts';
import { mapConcurrently } from '../workspace/concurrency.ts';
import { encodeContent, hashContent } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileSource } from '../workspace/file-source.ts';
import type { WorkspacePath } from '../workspace/workspace-path.ts';
import { contentHashSchema, hashedPathSchema, workspacePathSchema } from './encoded-overlay.ts';
import { hashesBeneath } from './internal/hashes-beneath.ts';
import { type LayerEntry, Overlay } from './overlay.ts';

/**
 * Stores this layer of an overlay in a directory of its own, outside the workspace.
 *
 * Invariant: the manifest is replaced by one rename after all the files it names are written, and files are never
 * overwritten, so `directory` always contains the last complete spill. The hashes of the contents the layer was made
 * on are stored too: restored over a tree that changed meanwhile, its changes still conflict where they should.
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
  const { generation, entries, renames, madeOn } = await readManifest(directory);
  const files = join(directory, 'files', generation);
  const layer = await mapConcurrently(
    entries,
    16,
    async (entry): Promise<[WorkspacePath, LayerEntry]> => [entry.path, await restoreEntry(entry, files)],
  );
  return Overlay.on(base, {
    layer: new Map(layer),
    renames: new Map(renames.map(({ to, from }) => [to, from])),
    madeOn: new Map(madeOn.map(({ path, hash }) => [path, hash])),
  });
}

class CorruptSpill extends Failure {
  readonly code = 'overlay/corrupt-spill';
  readonly remedy = 'The kept changes cannot be restored; delete their directory and make them again.';
}

const formatVersion = 1;
const manifestName = 'manifest.json';

const storedFile = {
  path: workspacePathSchema,
  file: z.number().int().nonnegative(),
  hash: contentHashSchema,
};
const mode = z.number().int().nonnegative().exactOptional();

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ path: workspacePathSchema, kind: z.literal('removed') }),
  z.object({ ...storedFile, kind: z.literal('text'), bom: z.boolean().exactOptional(), mode }),
  z.object({ ...storedFile, kind: z.literal('binary'), mode }),
  z.object({ ...storedFile, kind: z.literal('symlink') }),
]);

const manifestSchema = z.object({
  version: z.literal(formatVersion),
  // It becomes part of a path, so it must be a plain name.
  generation: z.string().regex(/^[\w-]+$/),
  entries: z.array(entrySchema),
  renames: z.array(z.object({ to: workspacePathSchema, from: workspacePathSchema })),
  madeOn: z.array(hashedPathSchema),
});

type StoredEntry = z.infer<typeof entrySchema>;

/** A byte order mark is a property in the manifest, not part of the bytes, so that the text is unchanged. */
function bareBytes(content: FileContent): Uint8Array {
  return content.kind === 'text' ? Buffer.from(content.text, 'utf8') : encodeContent(content);
}

function traitsOf(content: FileContent): object {
  if (content.kind === 'symlink') return { kind: content.kind };
  const { kind, mode } = content;
  return { kind, mode, bom: content.kind === 'text' ? content.bom : undefined };
}

async function readManifest(directory: string): Promise<z.infer<typeof manifestSchema>> {
  const text = await readFile(join(directory, manifestName), 'utf8').catch((cause: unknown) => {
    throw new CorruptSpill(`there is no readable manifest in "${directory}": ${messageOf(cause)}`, { cause });
  });
  const read = readStored(text, manifestSchema);
  if (read.kind === 'corrupt') throw new CorruptSpill(`manifest in "${directory}":${read.why}`);
  return read.value;
}

async function restoreEntry(entry: StoredEntry, files: string): Promise<LayerEntry> {
  if (entry.kind === 'removed') return 'removed';
  const file = join(files, String(entry.file));
  const bytes = await readFile(file).catch((cause: unknown) => {
    throw new CorruptSpill(`cannot read "${file}": ${messageOf(cause)}`, { cause });
  });
  const content = contentOf(entry, bytes);
  if (hashContent(content) !== entry.hash) throw new CorruptSpill(`"${file}" does not match its hash`);
  return content;
}

function contentOf(entry: Exclude<StoredEntry, { readonly kind: 'removed' }>, bytes: Buffer): FileContent {
  if (entry.kind === 'symlink') return { kind: 'symlink', target: bytes.toString('utf8') };
  const withMode = entry.mode === undefined ? {} : { mode: entry.mode };
  if (entry.kind === 'binary') return { kind: 'binary', bytes, ...withMode };
  return {
    kind: 'text',
    text: bytes.toString('utf8'),
    ...(entry.bom === true && { bom: true }),
    ...withMode,
  };
}

/**
 * An overlay as plain data for JSON: what a spill stores in files, in one value.
 *
 * Invariant: decoding an encoded overlay over the same source gives the same layers with the same changes. The hashes
 * of the contents that each layer was made on are included.
 */
import { z } from 'zod';
import { type ContentHash, parseContentHash } from '../workspace/content-hash.ts';
import type { FileContent } from '../workspace/file-content.ts';
import type { FileSource } from '../workspace/file-source.ts';
import { parseWorkspacePath, type WorkspacePath } from '../workspace/workspace-path.ts';
import { hashesBeneath } from './internal/hashes-beneath.ts';
import { type LayerEntry, type LayerOnBase, Overlay } from './overlay.ts';

/** A path of a file in a workspace; the root itself is none. */
export const workspacePathSchema = z.string().transform((text, context): WorkspacePath => {
  const path = parseWorkspacePath(text);
  if (path !== undefined && path !== '') return path;
  context.addIssue({ code: 'custom', message: 'is not a path in a workspace' });
  return z.NEVER;
});

export const contentHashSchema = z.string().transform((text, context): ContentHash => {
  const hash = parseContentHash(text);
  if (hash !== undefined) return hash;
  context.addIssue({ code: 'custom', message: 'is not a content hash' });
  return z.NEVER;
});

export const hashedPathSchema = z.object({ path: workspacePathSchema, hash: contentHashSchema });

const mode = z.number().int().nonnegative().exactOptional();

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ path: workspacePathSchema, kind: z.literal('removed') }),
  z.object({
    path: workspacePathSchema,
    kind: z.literal('text'),
    text: z.string(),
    bom: z.boolean().exactOptional(),
    mode,
  }),
  z.object({ path: workspacePathSchema, kind: z.literal('binary'), base64: z.base64(), mode }),
  z.object({ path: workspacePathSchema, kind: z.literal('symlink'), target: z.string() }),
]);

const layerSchema = z.object({
  entries: z.array(entrySchema),
  renames: z.array(z.object({ to: workspacePathSchema, from: workspacePathSchema })),
  madeOn: z.array(hashedPathSchema),
});

/** The layers of a stack, the lowest first. */
export const encodedOverlaySchema = z.array(layerSchema).min(1);

export type EncodedOverlay = z.infer<typeof encodedOverlaySchema>;
type EncodedLayer = z.infer<typeof layerSchema>;
export type HashedPath = z.infer<typeof hashedPathSchema>;

/** Every layer of the stack that ends in `overlay`. */
export async function encodeOverlay(overlay: Overlay): Promise<EncodedOverlay> {
  const below = overlay.base instanceof Overlay ? await encodeOverlay(overlay.base) : [];
  return [...below, await encodeLayer(overlay)];
}

export function decodeOverlay(layers: EncodedOverlay, base: FileSource): Overlay {
  const [lowest, ...others] = layers.map(changesIn);
  return others.reduce((beneath, changes) => Overlay.on(beneath, changes), Overlay.on(base, lowest));
}

/** The hashes of the source at the bottom, at every path where the stack differs from it. */
export async function hashesAtBottom(overlay: Overlay): Promise<readonly HashedPath[]> {
  return listed(await hashesBeneath(overlay.flattened()));
}

async function encodeLayer(overlay: Overlay): Promise<EncodedLayer> {
  return {
    entries: [...overlay.layer()].map(([path, entry]) => encodeEntry(path, entry)),
    renames: [...overlay.renames()].map(([to, from]) => ({ to, from })),
    madeOn: listed(await hashesBeneath(overlay)),
  };
}

function listed(hashes: ReadonlyMap<WorkspacePath, ContentHash>): HashedPath[] {
  return [...hashes].map(([path, hash]) => ({ path, hash }));
}

function encodeEntry(path: WorkspacePath, entry: LayerEntry): EncodedLayer['entries'][number] {
  if (entry === 'removed') return { path, kind: 'removed' };
  if (entry.kind !== 'binary') return { path, ...entry };
  const { bytes, ...traits } = entry;
  return { path, ...traits, base64: Buffer.from(bytes).toString('base64') };
}

function changesIn({ entries, renames, madeOn }: EncodedLayer): Omit<LayerOnBase, 'base'> {
  return {
    layer: new Map(entries.map(({ path, ...entry }) => [path, decodeEntry(entry)])),
    renames: new Map(renames.map(({ to, from }) => [to, from])),
    madeOn: new Map(madeOn.map(({ path, hash }) => [path, hash])),
  };
}

type Unplaced<T> = T extends unknown ? Omit<T, 'path'> : never;

function decodeEntry(entry: Unplaced<EncodedLayer['entries'][number]>): LayerEntry {
  if (entry.kind === 'removed') return 'removed';
  if (entry.kind !== 'binary') return entry;
  const { base64, ...traits } = entry;
  const content: FileContent = { ...traits, bytes: Buffer.from(base64, 'base64') };
  return content;
}

/**
 * Cached references and outlines in our own types.
 *
 * Invariant: a returned answer was given for the files that are on disk now (see `live/references`), and names files
 * by workspace paths, so that another checkout with the same contents can use it. A stored answer that does not match
 * its schema is not used.
 */
import { z } from 'zod';
import { storedValue } from '../base/stored-json.ts';
import type { CacheLookup } from '../live/references/cached-answers.ts';
import type { Lease } from '../servers/lease.ts';
import type { LineIndex, Position } from '../text/position.ts';
import { hashContent } from '../workspace/content-hash.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { parseWorkspacePath, type WorkspacePath } from '../workspace/workspace-path.ts';
import type { CodeLocation } from './location.ts';
import type { Place } from './query.ts';
import type { CodeSymbol } from './symbol.ts';
import { identifierAt } from './symbol-name.ts';

/** A position with the text around it. */
export interface UsedPlace extends Place {
  readonly index: LineIndex;
}

export interface KnownReferences {
  readonly locations: readonly CodeLocation[];
  readonly fingerprint: string;
}

type ReferenceOptions = { readonly includeDeclaration: boolean };

export class CachedReferences {
  readonly #knowledge: CacheLookup;
  readonly #workspace: Workspace;
  readonly #used = new Set<string>();

  constructor(knowledge: CacheLookup, workspace: Workspace) {
    this.#knowledge = knowledge;
    this.#workspace = workspace;
  }

  /** The server that answered. */
  get server(): string {
    return this.#knowledge.server;
  }

  /** A common fingerprint of all answers so far. */
  get fingerprint(): string {
    return hashContent({ kind: 'text', text: [...this.#used].sort().join('\n') });
  }

  references(place: UsedPlace, options: ReferenceOptions): KnownReferences | undefined {
    const found = this.#knowledge.answer(referenceQuestion(place, options), subjectOf(place));
    const stored = found && storedValue(found.value, locationsSchema);
    if (!stored) return undefined;
    this.#used.add(found.fingerprint);
    const locations = stored.map(({ uri: path, range }) => ({ path, uri: this.#workspace.uri(path), range }));
    return { locations, fingerprint: found.fingerprint };
  }

  /** Records an answer; one that names files outside the sources of the workspace is ignored. */
  noteReferences(place: UsedPlace, options: ReferenceOptions, locations: readonly CodeLocation[]): void {
    const kept = locations.flatMap(({ path, range }) =>
      path !== undefined && this.#knowledge.covers(path) ? { uri: path, range } : [],
    );
    if (kept.length < locations.length) return;
    this.#knowledge.note(referenceQuestion(place, options), subjectOf(place), JSON.stringify(kept));
  }

  outline(path: WorkspacePath): readonly CodeSymbol[] | undefined {
    const found = this.#knowledge.answer(outlineQuestion(path), { kind: 'text', path });
    const stored = found && storedValue(found.value, outlineSchema);
    if (!stored) return undefined;
    this.#used.add(found.fingerprint);
    return stored;
  }

  noteOutline(path: WorkspacePath, outline: readonly CodeSymbol[]): void {
    this.#knowledge.note(outlineQuestion(path), { kind: 'text', path }, JSON.stringify(outline));
  }

  /** Stores the recorded answers; only for a server that was ready and had all files open. */
  settle(lease: Lease, signal: AbortSignal): Promise<void> {
    return this.#knowledge.settle(lease, signal);
  }
}

const positionSchema = z.object({ line: z.int().min(0), character: z.int().min(0) });
const rangeSchema = z.object({ start: positionSchema, end: positionSchema });

const pathSchema = z.string().transform((text, issues): WorkspacePath => {
  const path = parseWorkspacePath(text);
  if (path !== undefined) return path;
  issues.addIssue('is not a path of a workspace');
  return z.NEVER;
});

const locationsSchema = z.array(z.object({ uri: pathSchema, range: rangeSchema }));

const symbolSchema = z.object({
  name: z.string(),
  detail: z.string().exactOptional(),
  kind: z.int(),
  tags: z.array(z.unknown()).exactOptional(),
  deprecated: z.boolean().exactOptional(),
  range: rangeSchema,
  selectionRange: rangeSchema,
  get children() {
    return z.array(symbolSchema);
  },
});

const outlineSchema: z.ZodType<readonly CodeSymbol[]> = z.array(symbolSchema);

function referenceQuestion({ path, position }: Place, { includeDeclaration }: ReferenceOptions): string {
  const { line, character } = position;
  return JSON.stringify(['uses', path, line, character, includeDeclaration]);
}

function outlineQuestion(path: WorkspacePath): string {
  return JSON.stringify(['outline', path]);
}

function subjectOf({ index, position }: UsedPlace): {
  readonly kind: 'uses';
  readonly name: string | undefined;
} {
  return { kind: 'uses', name: isQuoted(index, position) ? undefined : identifierAt(index, position) };
}

/** A position in a string may refer to a file, by a name that is not its own. */
function isQuoted(index: LineIndex, { line, character }: Position): boolean {
  if (line >= index.lineCount) return true;
  const before = index.lineText(line).slice(0, character);
  return [/'/g, /"/g, /`/g].some((quote) => (before.match(quote)?.length ?? 0) % 2 === 1);
}

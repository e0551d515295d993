/**
 * What language servers know about code, on the wire.
 *
 * Positions are zero-based lines and UTF-16 characters. A request names the version of the buffer that the page shows; if
 * that is not the current one it fails with `editor/stale-version`, so no answer is ever about another text. For a
 * file that is not open the version is left out, and the answer is about the disk.
 */
import { z } from 'zod';
import { method, nothing, path } from './method.ts';

export const position = z.object({
  line: z.number().int().nonnegative(),
  character: z.number().int().nonnegative(),
});
export const range = z.object({ start: position, end: position });
export const textEdit = z.object({ range, newText: z.string() });

/** Absent where the file is not open. */
const version = z.number().int().nonnegative().optional();
const file = { path, version };
const place = z.object({ ...file, position });

/** A stretch of a file; `path` is absent for one outside the workspace, which `code.outside` shows. */
export const location = z.object({
  path: path.optional(),
  uri: z.string(),
  range,
  /** The text of its first line, for lists; cut at 400 characters. */
  line: z.string(),
});

/** Whether every file that may hold an answer was looked at. */
const coverage = z.object({ isComplete: z.boolean(), why: z.string().optional() });

const completionItem = z.object({
  label: z.string(),
  labelDetail: z.string().optional(),
  /** As the Language Server Protocol numbers kinds of completions. */
  kind: z.number().int().optional(),
  detail: z.string().optional(),
  sortText: z.string(),
  filterText: z.string(),
  isDeprecated: z.boolean(),
  isPreselected: z.boolean(),
  insertText: z.string(),
  /** What is replaced; absent: the word before the cursor. */
  range: range.optional(),
});

/** `lane`: `live` is shown in a page, `open` is a buffer that no page shows, `closed` is a file on disk. */
export const plannedFile = z.object({
  path,
  lane: z.enum(['live', 'open', 'closed']),
  kind: z.enum(['modified', 'created', 'deleted', 'renamed']),
  /** The new path of a renamed file. */
  to: path.optional(),
  edits: z.array(textEdit),
});

/** An edit of several files that was worked out and not made. It is valid until a file of it changes. */
export const editPlan = z.object({ plan: z.string(), files: z.array(plannedFile), coverage });

const outlineSymbol: z.ZodType<OutlineSymbol> = z.object({
  name: z.string(),
  detail: z.string().optional(),
  kind: z.number().int(),
  isDeprecated: z.boolean(),
  range,
  selectionRange: range,
  get children() {
    return z.array(outlineSymbol);
  },
});

export interface OutlineSymbol {
  readonly name: string;
  readonly detail?: string | undefined;
  /** As the Language Server Protocol numbers kinds of symbols. */
  readonly kind: number;
  readonly isDeprecated: boolean;
  readonly range: z.infer<typeof range>;
  readonly selectionRange: z.infer<typeof range>;
  readonly children: readonly OutlineSymbol[];
}

const callItem = z.object({
  name: z.string(),
  detail: z.string().optional(),
  kind: z.number().int(),
  location,
  /** Where its name stands; ask again there to go further. */
  selectionRange: range,
});

/** `stale`: answers carry the version they are about; the page drops those of another version. */
const answered = { version };

export const codeMethods = {
  /** Markdown of a server, which may hold anything: it is rendered without HTML. */
  'code.hover': method(place, z.object({ ...answered, markdown: z.string(), range: range.optional() })),
  'code.complete': method(
    /** `typed`: the character whose typing made the page ask; absent: it was asked for by a key. */
    place.extend({ typed: z.string().max(8).optional() }),
    z.object({ ...answered, list: z.string(), isIncomplete: z.boolean(), items: z.array(completionItem) }),
  ),
  /** The rest of an item of the last lists: what it documents, and its further edits, such as an import. */
  'code.resolveCompletion': method(
    z.object({ list: z.string(), index: z.number().int().nonnegative() }),
    z.object({
      ...answered,
      detail: z.string().optional(),
      documentation: z.string(),
      edits: z.array(textEdit),
    }),
  ),
  'code.signature': method(
    place,
    z.object({
      ...answered,
      active: z.number().int(),
      signatures: z.array(
        z.object({
          label: z.string(),
          documentation: z.string(),
          /** Where parameters stand in the label. */
          parameters: z.array(z.object({ from: z.number(), to: z.number(), documentation: z.string() })),
          activeParameter: z.number().int().optional(),
        }),
      ),
    }),
  ),
  'code.locate': method(
    place.extend({ kind: z.enum(['definition', 'typeDefinition', 'implementation', 'declaration']) }),
    z.object({ ...answered, locations: z.array(location) }),
  ),
  'code.references': method(place, z.object({ ...answered, locations: z.array(location), coverage })),
  'code.highlights': method(
    place,
    z.object({
      ...answered,
      highlights: z.array(z.object({ range, kind: z.enum(['text', 'read', 'write']) })),
    }),
  ),
  /** What would be renamed here; without a range, nothing can be. */
  'code.renameTarget': method(
    place,
    z.object({ ...answered, range: range.optional(), name: z.string().optional() }),
  ),
  'code.rename': method(place.extend({ newName: z.string().min(1).max(400) }), editPlan),
  /** Makes a planned edit: all files or none, one undo step. `without` leaves files out. */
  'code.apply': method(
    z.object({ plan: z.string(), without: z.array(path).default([]) }),
    z.object({ paths: z.array(path) }),
  ),
  /** Takes the last edit of several files back, in all of them. */
  'code.undo': method(z.object({}), z.object({ paths: z.array(path) })),
  'code.actions': method(
    z.object({ ...file, range }),
    z.object({
      ...answered,
      list: z.string(),
      actions: z.array(
        z.object({
          title: z.string(),
          /** As the protocol names kinds, such as `quickfix` or `source.organizeImports`; empty if unknown. */
          kind: z.string(),
          isPreferred: z.boolean(),
          /** Why it cannot be done now. */
          disabled: z.string().optional(),
          /** The messages it fixes. */
          fixes: z.array(z.string()),
        }),
      ),
    }),
  ),
  'code.runAction': method(
    z.object({ list: z.string(), index: z.number().int().nonnegative() }),
    z.object({ paths: z.array(path) }),
  ),
  /** Formats the buffer in place, or a range of it. */
  'code.format': method(
    z.object({
      ...file,
      range: range.optional(),
      tabSize: z.number().int().positive().max(16),
      insertSpaces: z.boolean(),
    }),
    z.object({ ...answered, isChanged: z.boolean() }),
  ),
  'code.outline': method(z.object(file), z.object({ ...answered, symbols: z.array(outlineSymbol) })),
  /** Symbols of the whole workspace by name. */
  'code.symbols': method(
    z.object({ query: z.string().max(200), limit: z.number().int().positive().max(500).default(100) }),
    z.object({
      symbols: z.array(
        z.object({ name: z.string(), container: z.string().optional(), kind: z.number().int(), location }),
      ),
      /** Servers that could not answer, each with its sentence. */
      failures: z.array(z.string()),
    }),
  ),
  /** Five numbers for each token: line, character, length, index of its type, bits of its modifiers. */
  'code.tokens': method(
    z.object({ ...file, range: range.optional() }),
    z.object({
      ...answered,
      types: z.array(z.string()),
      modifiers: z.array(z.string()),
      data: z.array(z.number()),
    }),
  ),
  'code.hints': method(
    z.object({ ...file, range }),
    z.object({
      ...answered,
      hints: z.array(
        z.object({
          position,
          label: z.string(),
          kind: z.enum(['type', 'parameter']).optional(),
          paddingLeft: z.boolean(),
          paddingRight: z.boolean(),
        }),
      ),
    }),
  ),
  'code.folds': method(
    z.object(file),
    z.object({
      ...answered,
      folds: z.array(z.object({ startLine: z.number(), endLine: z.number(), kind: z.string().optional() })),
    }),
  ),
  /** Who calls the function at a place, or what it calls; `isKnown` is false if the server does not say. */
  'code.calls': method(
    place.extend({ direction: z.enum(['incoming', 'outgoing']) }),
    z.object({
      ...answered,
      item: callItem.optional(),
      isKnown: z.boolean(),
      /** `places`: where the calls stand, in the caller. */
      calls: z.array(z.object({ item: callItem, places: z.array(location) })),
    }),
  ),
  /** A file outside the workspace that a server named, such as one of a library; any other is refused. */
  'code.outside': method(
    z.object({ uri: z.string().max(8192) }),
    z.object({ text: z.string(), language: z.string() }),
  ),
  /** Measures the diagnostics of open buffers again. */
  'code.check': method(z.object({}), nothing),
} as const;

export const shownDiagnostic = z.object({
  range,
  severity: z.enum(['error', 'warning', 'info', 'hint']),
  message: z.string(),
  source: z.string().optional(),
  code: z.union([z.string(), z.number()]).optional(),
  tags: z.array(z.enum(['unnecessary', 'deprecated'])).optional(),
  related: z.array(z.object({ location, message: z.string() })).optional(),
});

/**
 * What a server said of one version of a buffer. `proof`: `proved` belongs to the text for certain, `quiet` is inferred
 * from silence, `none` is no answer, whose reason `why` gives: the list is then empty and means nothing.
 */
export const bufferDiagnostics = z.object({
  path,
  version: z.number().int(),
  proof: z.enum(['proved', 'quiet', 'none']),
  why: z.string().optional(),
  items: z.array(shownDiagnostic),
});

/** A language server of the workspace, for the status bar. */
export const serverState = z.object({
  name: z.string(),
  language: z.string(),
  state: z.enum(['starting', 'busy', 'ready', 'stopped', 'missing', 'untrusted']),
  /** What it is doing, why it stopped, or the command that installs it. */
  detail: z.string().optional(),
});

export const codeEvents = [
  z.object({ kind: z.literal('code.diagnostics'), diagnostics: bufferDiagnostics }),
  z.object({ kind: z.literal('code.servers'), servers: z.array(serverState) }),
] as const;

export const codeSnapshot = z.object({
  diagnostics: z.array(bufferDiagnostics),
  servers: z.array(serverState),
});

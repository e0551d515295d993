/**
 * A workspace of two thousand modules of about forty lines, in TypeScript or in Python.
 *
 *     core ◄── 200 leaves, which no module imports
 *     layer 0 ◄── layer 1 ◄── … ◄── layer 9, each module importing its two neighbours below
 *
 * Invariant: it compiles without an error, and a change of the core's signature breaks exactly the leaves.
 */
import { type BenchWorkspace, ScratchFiles } from './bench-workspace.ts';
import { pythonDialect } from './python-module.ts';
import type { SampleEdit } from './sample-edit.ts';
import { typescriptDialect } from './typescript-module.ts';

export interface GeneratedWorkspace extends BenchWorkspace {
  readonly files: number;
  /** Changes the signature that the leaves call. */
  readonly coreChange: SampleEdit;
  readonly leaves: readonly string[];
  /** Twenty neighbouring modules in the middle, each edited; half of the edits break their module. */
  readonly patch: readonly SampleEdit[];
}

/** A module of a layer: which layer it is in, and its place there. */
export interface ModulePlace {
  readonly layer: number;
  readonly index: number;
}

/** How modules are written in one language. */
export interface Dialect {
  readonly language: 'typescript' | 'python';
  readonly configuration: ReadonlyMap<string, string>;
  readonly core: { readonly path: string; readonly text: string };
  /** The type in the core's signature, and another that no caller satisfies. */
  readonly coreParameter: Pick<SampleEdit, 'replaces' | 'replacement'>;
  readonly breakingValue: Pick<SampleEdit, 'replaces' | 'replacement'>;
  readonly harmlessValue: Pick<SampleEdit, 'replacement'>;
  pathOf(place: ModulePlace): string;
  leafPath(index: number): string;
  moduleText(place: ModulePlace, imports: readonly ModulePlace[]): string;
  leafText(index: number, imports: readonly ModulePlace[]): string;
}

export const dialects = { typescript: typescriptDialect, python: pythonDialect } as const;

const totalFiles = 2000;
const leafCount = 200;
const layerCount = 10;
const layered = totalFiles - leafCount - 1;
const perLayer = Math.ceil(layered / layerCount);

export async function generateWorkspace(dialect: Dialect): Promise<GeneratedWorkspace> {
  const modules = Array.from({ length: layered }, (_, at) => placeOf(at));
  const leaves = Array.from({ length: leafCount }, (_, index) => dialect.leafPath(index));
  const sources = new Map([
    [dialect.core.path, dialect.core.text],
    ...leaves.map((path, index) => [path, dialect.leafText(index, [placeOf(index)])] as const),
    ...modules.map((place) => [dialect.pathOf(place), moduleText(dialect, place)] as const),
  ]);
  const scratch = await ScratchFiles.write(dialect.language, new Map([...dialect.configuration, ...sources]));
  const middle = (index: number): ModulePlace => ({ layer: 5, index: 60 + index });
  const editOf = (place: ModulePlace, change: Pick<SampleEdit, 'replaces' | 'replacement'>): SampleEdit => ({
    path: dialect.pathOf(place),
    text: moduleText(dialect, place),
    ...change,
  });
  return {
    root: scratch.root,
    language: dialect.language,
    files: sources.size,
    leaves,
    coreChange: { ...dialect.core, ...dialect.coreParameter },
    breaking: editOf(middle(0), dialect.breakingValue),
    patch: Array.from({ length: 20 }, (_, index) =>
      editOf(middle(index), {
        ...dialect.breakingValue,
        ...(index % 2 === 1 && dialect.harmlessValue),
      }),
    ),
    [Symbol.asyncDispose]: () => scratch[Symbol.asyncDispose](),
  };
}

function placeOf(at: number): ModulePlace {
  return { layer: Math.floor(at / perLayer), index: at % perLayer };
}

function moduleText(dialect: Dialect, { layer, index }: ModulePlace): string {
  const below =
    layer === 0 ? [] : [index, (index + 1) % perLayer].map((at) => ({ layer: layer - 1, index: at }));
  return dialect.moduleText({ layer, index }, below);
}

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
const layerCount = 10;

/** The sources without configuration, about so many. */
export class GeneratedSources {
  readonly texts: ReadonlyMap<string, string>;
  readonly leaves: readonly string[];
  readonly #dialect: Dialect;
  readonly #perLayer: number;

  constructor(dialect: Dialect, files: number) {
    this.#dialect = dialect;
    const leafCount = Math.ceil(files / 10);
    const layered = files - leafCount - 1;
    this.#perLayer = Math.ceil(layered / layerCount);
    const modules = Array.from({ length: layered }, (_, at) => this.#placeOf(at));
    this.leaves = Array.from({ length: leafCount }, (_, index) => dialect.leafPath(index));
    this.texts = new Map([
      [dialect.core.path, dialect.core.text],
      ...this.leaves.map((path, index) => [path, dialect.leafText(index, [this.#placeOf(index)])] as const),
      ...modules.map((place) => [dialect.pathOf(place), this.moduleText(place)] as const),
    ]);
  }

  /** A module of the middle layer, by its place from the middle of it. */
  middle(index: number): ModulePlace {
    return { layer: layerCount / 2, index: (Math.floor(this.#perLayer / 3) + index) % this.#perLayer };
  }

  moduleText({ layer, index }: ModulePlace): string {
    const neighbours = [index, (index + 1) % this.#perLayer];
    const below = layer === 0 ? [] : neighbours.map((at) => ({ layer: layer - 1, index: at }));
    return this.#dialect.moduleText({ layer, index }, below);
  }

  #placeOf(at: number): ModulePlace {
    return { layer: Math.floor(at / this.#perLayer), index: at % this.#perLayer };
  }
}

export async function generateWorkspace(dialect: Dialect): Promise<GeneratedWorkspace> {
  const sources = new GeneratedSources(dialect, totalFiles);
  const { texts, leaves } = sources;
  const scratch = await ScratchFiles.write(dialect.language, new Map([...dialect.configuration, ...texts]));
  const middle = (index: number): ModulePlace => sources.middle(index);
  const editOf = (place: ModulePlace, change: Pick<SampleEdit, 'replaces' | 'replacement'>): SampleEdit => ({
    path: dialect.pathOf(place),
    text: sources.moduleText(place),
    ...change,
  });
  return {
    root: scratch.root,
    language: dialect.language,
    files: texts.size,
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

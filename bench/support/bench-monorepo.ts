/**
 * A workspace of several hundred TypeScript files in projects that reference each other, one project per
 * layer and one that contains all of them, so that a file is in as many programs as there are layers above it.
 *
 *     core ◄── leaves, which no module imports
 *     layer 0 ◄── layer 1 ◄── … each module importing its two neighbours below
 *
 * Invariant: it compiles without an error.
 */
import { ScratchFiles } from './bench-workspace.ts';
import type { ModulePlace } from './generated-workspace.ts';
import { typescriptDialect as dialect } from './typescript-module.ts';

const layers = 5;
const perLayer = 60;
const leaves = 60;

export async function writeBenchMonorepo(): Promise<ScratchFiles> {
  const files = new Map<string, string>([
    ['.gitignore', 'node_modules\nout\n*.tsbuildinfo\n'],
    [
      'package.json',
      json({ name: 'bench', private: true, type: 'module', scripts: { spec: 'tsc -p tsconfig.spec.json' } }),
    ],
    ['tsconfig.json', json({ files: [], references: projects().map(({ path }) => ({ path })) })],
    [
      'tsconfig.spec.json',
      json({ compilerOptions: { ...options, noEmit: true, noUnusedLocals: true }, include: ['src'] }),
    ],
    [dialect.core.path, dialect.core.text],
  ]);
  for (const { path, references } of projects())
    files.set(`${path}/tsconfig.json`, projectConfig(references));
  for (let index = 0; index < leaves; index++)
    files.set(dialect.leafPath(index), dialect.leafText(index, [{ layer: 0, index: index % perLayer }]));
  for (let layer = 0; layer < layers; layer++) {
    for (let index = 0; index < perLayer; index++) {
      const place = { layer, index };
      files.set(dialect.pathOf(place), dialect.moduleText(place, below(place)));
    }
  }
  return ScratchFiles.write('monorepo', files);
}

const options = {
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  strict: true,
  lib: ['es2022'],
  types: [],
};

function projects(): readonly { readonly path: string; readonly references: readonly string[] }[] {
  const layered = Array.from({ length: layers }, (_, layer) => ({
    path: `src/layer-${layer}`,
    references: layer === 0 ? [] : [`../layer-${layer - 1}`],
  }));
  return [
    { path: 'src/core', references: [] },
    ...layered,
    { path: 'src/leaf', references: ['../core', '../layer-0'] },
  ];
}

function projectConfig(references: readonly string[]): string {
  const compilerOptions = { ...options, composite: true, emitDeclarationOnly: true, outDir: 'out' };
  return json({ compilerOptions, include: ['.'], references: references.map((path) => ({ path })) });
}

function below({ layer, index }: ModulePlace): readonly ModulePlace[] {
  if (layer === 0) return [];
  return [index, (index + 1) % perLayer].map((at) => ({ layer: layer - 1, index: at }));
}

function json(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

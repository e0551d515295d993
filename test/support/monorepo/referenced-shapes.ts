/** Monorepos whose projects name each other: references, and outputs that one package reads of another. */
import {
  allSources,
  bundled,
  checkEach,
  forEachPackage,
  hoistedLinks,
  isolatedLinks,
  json,
  nodeStyle,
  packageNames,
  scoped,
  uses,
} from './arrangement.ts';
import type { GeneratedMonorepo } from './generated-monorepo.ts';

/** A root configuration that only refers to others, composite packages, manifests that name outputs which are not built. */
export const references: GeneratedMonorepo = {
  shape: 'solution-style references',
  files: {
    '.gitignore': 'node_modules\ndist\n*.tsbuildinfo\n',
    'package.json': json({ name: 'references', private: true, workspaces: ['packages/*'] }),
    'tsconfig.json': json({
      files: [],
      references: packageNames.map((name) => ({ path: `packages/${name}` })),
    }),
    ...forEachPackage('package.json', (name) => ({
      name: scoped(name),
      version: '1.0.0',
      type: 'module',
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    })),
    ...forEachPackage('tsconfig.json', (name) => ({
      compilerOptions: { ...nodeStyle, composite: true, rootDir: 'src', outDir: 'dist' },
      include: ['src'],
      references: uses[name].map((used) => ({ path: `../${used}` })),
    })),
    ...allSources({ extension: '.js', packageNamed: scoped }),
  },
  links: hoistedLinks(),
  checks: [['-b']],
};

/** As pnpm lays packages out: each sees what its own manifest lists, by the sources that `exports` names. */
export const exported: GeneratedMonorepo = {
  shape: 'packages with exports, linked',
  files: {
    '.gitignore': 'node_modules\n',
    'package.json': json({ name: 'exported', private: true }),
    'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
    'tsconfig.base.json': json({ compilerOptions: { ...bundled, noEmit: true } }),
    ...forEachPackage('package.json', (name) => ({
      name: scoped(name),
      version: '1.0.0',
      type: 'module',
      exports: { '.': './src/index.ts', './*': './src/*.ts' },
      dependencies: Object.fromEntries(uses[name].map((used) => [scoped(used), 'workspace:*'])),
    })),
    ...forEachPackage('tsconfig.json', (name) => ({
      extends: '../../tsconfig.base.json',
      // Each package is as strict as its owners like it, so a source is judged otherwise by those who import it.
      ...(name === 'app' && { compilerOptions: { noUncheckedIndexedAccess: true } }),
      include: ['src'],
    })),
    ...allSources({ extension: '', packageNamed: scoped }),
    'packages/app/src/deep.ts': `import { Colour } from '@m/core/colour';

export const first: string | undefined = Object.keys(Colour)[0];
export const strict: string = first ?? Colour[Colour.red];
`,
  },
  links: isolatedLinks(),
  checks: checkEach(...packageNames.map((name) => `packages/${name}`)),
};

/** `lib/*.d.ts` of the packages below are there, built by the compiler, and read by those above without any reference. */
export const built: GeneratedMonorepo = {
  shape: 'built outputs between packages',
  exactPercent: 50,
  files: {
    '.gitignore': 'node_modules\nlib\n',
    'package.json': json({ name: 'built', private: true, workspaces: ['packages/*'] }),
    ...forEachPackage('package.json', (name) => ({
      name: scoped(name),
      version: '1.0.0',
      main: './lib/index.js',
      types: './lib/index.d.ts',
      scripts: { build: 'tsc -p .' },
    })),
    ...forEachPackage('tsconfig.json', () => ({
      compilerOptions: { ...bundled, declaration: true, rootDir: 'src', outDir: 'lib' },
      include: ['src'],
    })),
    ...allSources({ extension: '', packageNamed: scoped }),
  },
  links: hoistedLinks(),
  builds: packageNames.map((name) => ['-p', `packages/${name}`]),
  checks: packageNames.map((name) => ['-p', `packages/${name}`]),
};

/** References and outputs both: what is built stands beside the sources it came from. */
export const referencedAndBuilt: GeneratedMonorepo = {
  shape: 'references with built outputs',
  files: {
    ...references.files,
    '.gitignore': 'node_modules\nlib\n*.tsbuildinfo\n',
    ...forEachPackage('package.json', (name) => ({
      name: scoped(name),
      version: '1.0.0',
      type: 'module',
      main: './lib/index.js',
      types: './lib/index.d.ts',
    })),
    ...forEachPackage('tsconfig.json', (name) => ({
      compilerOptions: { ...nodeStyle, composite: true, rootDir: 'src', outDir: 'lib', declarationMap: true },
      include: ['src'],
      references: uses[name].map((used) => ({ path: `../${used}` })),
    })),
  },
  links: hoistedLinks(),
  builds: [['-b']],
  checks: [['-b']],
};

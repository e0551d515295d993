/** Monorepos in which a file belongs to several projects, to one with an unusual include, or to none. */
import { allSources, bundled, byPath, checkEach, forEachPackage, json, packageNames } from './arrangement.ts';
import type { GeneratedMonorepo } from './generated-monorepo.ts';

const spec = `import { point } from '../../core/src/point';
import { area, circle } from '../src/index';

function expectNumber(value: number): void {
  const unused = value;
}

expectNumber(area(circle(point(1, 2).x)));
// Only a project that is not strict takes this.
export const nothing: string = null;
export const implicit = (given) => given;
`;

/** The same files three times: for the build, for tests with looser options, and for a linter with stricter ones. */
export const overlapping: GeneratedMonorepo = {
  shape: 'several configurations over the same files',
  files: {
    '.gitignore': 'node_modules\n',
    'package.json': json({
      name: 'overlapping',
      private: true,
      scripts: {
        build: 'tsc -p tsconfig.build.json',
        lint: 'tsc --project tsconfig.lint.json --noEmit && echo linted',
      },
    }),
    'tsconfig.base.json': json({ compilerOptions: { ...bundled, noEmit: true } }),
    'tsconfig.json': json({
      extends: './tsconfig.base.json',
      compilerOptions: { strict: false },
      include: ['packages/*/src', 'packages/*/test'],
    }),
    'tsconfig.build.json': json({ extends: './tsconfig.base.json', include: ['packages/*/src'] }),
    'tsconfig.lint.json': json({
      extends: './tsconfig.base.json',
      compilerOptions: { noUnusedLocals: true, noUncheckedIndexedAccess: true, noImplicitReturns: true },
      include: ['packages/*/src'],
    }),
    ...allSources(byPath),
    'packages/geometry/test/area.spec.ts': spec,
    'packages/core/src/pick.ts': `const spare = 1;

export const pick = (values: readonly number[]): number => values[0];
`,
  },
  links: {},
  checks: checkEach('tsconfig.json', 'tsconfig.build.json', 'tsconfig.lint.json'),
};

/** Sources in directories that elsewhere hold outputs, reached by an include and by imports. */
export const outputNamed: GeneratedMonorepo = {
  shape: 'sources in build and dist directories',
  files: {
    '.gitignore': 'node_modules\nout\n',
    'package.json': json({ name: 'output-named', private: true }),
    'tsconfig.json': json({
      compilerOptions: { ...bundled, noEmit: true },
      include: ['packages/*/dist', 'packages/*/src', 'vendor/target'],
    }),
    ...allSources({ extension: '', packageNamed: (name) => `../../${name}/dist/index` }, 'dist'),
    'packages/core/src/build/plan.ts': `import { type Point, point } from '../../dist/index';

export interface Plan {
  readonly steps: readonly Point[];
}

export const plan = (): Plan => ({ steps: [point(1, 1)] });
`,
    'packages/core/src/build/.cache/keep.ts': 'export const kept: number = "not included";\n',
    'packages/app/src/run.ts': `import { plan } from '../../core/src/build/plan';

export const steps: number = plan().steps.length;
`,
    'vendor/target/patch.ts': `import { Colour } from '../../packages/core/dist/colour';

export const patched: Colour = Colour.green;
`,
  },
  links: {},
  checks: checkEach('tsconfig.json'),
};

/** A configuration in each package and none in the root, where scripts lie that no project checks. */
export const uncovered: GeneratedMonorepo = {
  shape: 'files in no project',
  files: {
    '.gitignore': 'node_modules\n',
    'package.json': json({ name: 'uncovered', private: true }),
    ...forEachPackage('tsconfig.json', (name) => ({
      compilerOptions: { ...bundled, noEmit: true },
      ...(name === 'app' ? { files: ['src/main.ts', 'src/flaw.ts', 'src/widen.ts'] } : { include: ['src'] }),
    })),
    ...allSources(byPath),
    'scripts/release.ts': `import { origin } from '../packages/core/src/index';

export const released: string = origin;
`,
    'packages/geometry/scripts/print.ts': `import { circle } from '../src/index';

export const printed: string = circle(1);
`,
  },
  links: {},
  checks: checkEach(...packageNames.map((name) => `packages/${name}`)),
};

/** One project over everything. */
export const plain: GeneratedMonorepo = {
  shape: 'one project',
  files: {
    '.gitignore': 'node_modules\n',
    'package.json': json({ name: 'plain', private: true }),
    'tsconfig.json': json({
      compilerOptions: {
        ...bundled,
        noEmit: true,
        noUnusedLocals: true,
        paths: { '@m/*': ['./packages/*/src/index.ts'] },
      },
      include: ['packages'],
    }),
    ...allSources({ extension: '', packageNamed: (name) => `@m/${name}` }),
  },
  links: {},
  checks: checkEach('tsconfig.json'),
};

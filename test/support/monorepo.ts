/**
 * A workspace of six hundred files in twelve packages under one configuration.
 *
 * Each package calls the last module of the one before it: every third by path, the others by an alias. What
 * is visible everywhere comes from three places: a script, a module that augments the global scope, and a
 * library that only one package imports.
 *
 * Invariant: it compiles without an error.
 */
export const packages = 12;
const modules = 50;

export function monorepo(): Record<string, string> {
  const files: Record<string, string> = {
    'package.json': '{ "name": "monorepo", "private": true }\n',
    // Comments and a trailing comma, as people write them.
    'tsconfig.base.json':
      '{ "compilerOptions": { "strict": true, "lib": ["es2023"], "noUnusedLocals": true, }, "exclude": ["**/*.skip.ts"] } // base\n',
    'tsconfig.json': `{
  "extends": "./tsconfig.base.json", /* strictness */
  "compilerOptions": {
    "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "noEmit": true, "types": [],
    "paths": { "@m/*": ["./packages/*/src/index.ts"] },
  },
  "include": ["packages"],
}
`,
    'node_modules/leaky/package.json': '{ "name": "leaky", "version": "1.0.0", "types": "index.d.ts" }\n',
    'node_modules/leaky/index.d.ts':
      'export declare const own: string;\ndeclare global {\n  const leaked: number;\n}\n',
    'packages/p9/src/shims/ambient.d.ts': 'declare const ambient: string;\n',
    'packages/p5/src/augment/window.ts':
      'export {};\ndeclare global {\n  interface Registry {\n    readonly five: number;\n  }\n}\n',
    'packages/p7/src/leak/use.ts': "import { own } from 'leaky';\nexport const used: string = own;\n",
    'packages/p3/src/m1.skip.ts': 'export const skipped: number = "left out by the configuration";\n',
    'packages/p3/src/globals.ts': [
      'export const fromScript: string = ambient;',
      'export const fromLibrary: number = leaked;',
      'export const fromModule = (registry: Registry): number => registry.five;',
      '',
    ].join('\n'),
  };
  for (let at = 0; at < packages; at++) {
    files[`packages/p${at}/package.json`] = `{ "name": "@m/p${at}" }\n`;
    files[`packages/p${at}/src/index.ts`] = `export { f${modules - 1} as top } from './m${modules - 1}';\n`;
    for (let index = 0; index < modules; index++)
      files[`packages/p${at}/src/m${index}.ts`] = moduleText(at, index);
  }
  return files;
}

function moduleText(at: number, index: number): string {
  const below = index === 0 ? entryBelow(at) : `import { f${index - 1} as below } from './m${index - 1}';`;
  return [
    below,
    `export function f${index}(value: number): number {`,
    '  const step: number = 1;',
    `  return ${below === '' ? 'value' : 'below(value)'} + step;`,
    '}',
    '',
  ].join('\n');
}

/** Every fifth package stands by itself. */
function entryBelow(at: number): string {
  if (at % 5 === 0) return '';
  const path = at % 3 === 0 ? `../../p${at - 1}/src/index` : `@m/p${at - 1}`;
  return `import { top as below } from '${path}';`;
}

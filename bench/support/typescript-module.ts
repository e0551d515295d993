/** The modules of the generated workspace as TypeScript. */
import type { Dialect, ModulePlace } from './generated-workspace.ts';

export const typescriptDialect: Dialect = {
  language: 'typescript',
  configuration: new Map([
    ['package.json', '{ "name": "generated", "private": true, "type": "module" }\n'],
    [
      'tsconfig.json',
      `${JSON.stringify({
        compilerOptions: {
          target: 'es2022',
          module: 'esnext',
          moduleResolution: 'bundler',
          allowImportingTsExtensions: true,
          strict: true,
          noEmit: true,
          types: [],
        },
        include: ['src'],
      })}\n`,
    ],
  ]),
  core: {
    path: 'src/core/label.ts',
    text: [
      '/** What every leaf calls. */',
      'export interface Labelled {',
      '  readonly label: string;',
      '}',
      '',
      'export function label(value: number): string {',
      '  return ["#", value].join("");',
      '}',
      '',
      'export function labelled(text: string): Labelled {',
      '  return { label: text };',
      '}',
      '',
    ].join('\n'),
  },
  coreParameter: {
    replaces: 'value: number',
    replacement: (round) => `value: { readonly round${round}: string }`,
  },
  breakingValue: { replaces: '= 1000;', replacement: (round) => `= 'round ${round}';` },
  harmlessValue: { replacement: (round) => `= ${round + 1};` },
  pathOf: ({ layer, index }) => `src/layer-${layer}/module-${index}.ts`,
  leafPath: (index) => `src/leaf/leaf-${index}.ts`,
  moduleText,
  leafText: (index, imports) =>
    [
      "import { label, type Labelled, labelled } from '../core/label.ts';",
      ...imports.map(importLine),
      '',
      `export class Leaf${index} implements Labelled {`,
      '  readonly #id: number;',
      '',
      '  constructor(id: number) {',
      '    this.#id = id;',
      '  }',
      '',
      '  get label(): string {',
      '    return label(this.#id);',
      '  }',
      '',
      ...imports.flatMap((place) => [
        `  record(): ${recordOf(place)} {`,
        `    return make${suffix(place)}(this.#id, this.label);`,
        '  }',
        '',
      ]),
      '  describe(words: readonly string[]): Labelled {',
      '    const known = words.filter((word) => word.length > 0).map((word) => word.trim());',
      '    return labelled([this.label, ...known].join(" "));',
      '  }',
      '}',
      '',
      `export const leaf${index} = new Leaf${index}(${index});`,
      '',
    ].join('\n'),
};

function moduleText(place: ModulePlace, imports: readonly ModulePlace[]): string {
  const own = suffix(place);
  return [
    ...imports.map(importLine),
    '',
    `export interface Record${own} {`,
    '  readonly id: number;',
    '  readonly name: string;',
    '  readonly weight: number;',
    '  readonly tags: readonly string[];',
    ...imports.map((below, at) => `  readonly source${at}?: ${recordOf(below)};`),
    '}',
    '',
    `export class Store${own} {`,
    `  readonly #records = new Map<number, Record${own}>();`,
    '',
    `  add(record: Record${own}): this {`,
    '    this.#records.set(record.id, record);',
    '    return this;',
    '  }',
    '',
    `  find(id: number): Record${own} | undefined {`,
    '    return this.#records.get(id);',
    '  }',
    '',
    '  get weight(): number {',
    '    let sum = 0;',
    '    for (const record of this.#records.values()) sum += record.weight;',
    '    return sum;',
    '  }',
    '}',
    '',
    `export function make${own}(id: number, name: string): Record${own} {`,
    `  const sources = { ${imports.map((below, at) => `source${at}: make${suffix(below)}(id, name)`).join(', ')} };`,
    '  return { id, name, weight: name.length, tags: [name.toUpperCase()], ...sources };',
    '}',
    '',
    `export function total${own}(records: readonly Record${own}[]): number {`,
    '  const limit: number = 1000;',
    '  const sum = records.reduce((sofar, record) => sofar + record.weight, 0);',
    '  return Math.min(limit, sum);',
    '}',
    '',
  ].join('\n');
}

function importLine(place: ModulePlace): string {
  const own = suffix(place);
  return `import { make${own}, type Record${own} } from '../layer-${place.layer}/module-${place.index}.ts';`;
}

function recordOf(place: ModulePlace): string {
  return `Record${suffix(place)}`;
}

function suffix({ layer, index }: ModulePlace): string {
  return `L${layer}M${index}`;
}

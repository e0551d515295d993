/**
 * A workspace that random things happen to, with the questions that are asked about it.
 *
 * Invariant: the same seed makes the same things happen.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pythonShop, typescriptShop } from './reference-workspace.ts';
import type { ToolAnswer } from './tool-world.ts';

export interface Dialect {
  readonly files: Readonly<Record<string, string>>;
  readonly extension: string;
  readonly questions: readonly Readonly<Record<string, string>>[];
  readonly core: string;
  caller(name: string): string;
  renamed(name: string): string;
  readonly config: readonly [path: string, text: string][];
  /** Another type of what `chosen` gives. */
  readonly choices: readonly [string, string];
}

export const typescriptDialect: Dialect = {
  files: typescriptShop,
  extension: 'ts',
  core: 'lib/price.ts',
  questions: [
    { file_path: 'lib/price.ts', position_pattern: 'function @@price' },
    { file_path: 'lib/price.ts', position_pattern: 'class Till {\n  @@ring' },
    { file_path: 'lib/price.ts', position_pattern: 'class @@Till' },
    { file_path: 'app/cart.ts', position_pattern: '@@total' },
  ],
  caller: (name) => `import { price } from '../lib/price';\n\nexport const ${name} = price(1) + price(2);\n`,
  renamed: (name) => `import { price as cost } from '../lib/price';\n\nexport const ${name} = cost(3);\n`,
  config: [
    [
      'tsconfig.json',
      JSON.stringify({
        compilerOptions: {
          strict: true,
          lib: ['es2023'],
          noEmit: true,
          module: 'esnext',
          moduleResolution: 'bundler',
        },
        exclude: ['app/cart.ts'],
      }),
    ],
    ['tsconfig.json', typescriptShop['tsconfig.json']],
    ['package.json', '{ "name": "shop" }'],
    ['package.json', '{}'],
  ],
  choices: ['(): Till => new Till()', '(): Bell => new Bell()'],
};

export const pythonDialect: Dialect = {
  files: pythonShop,
  extension: 'py',
  core: 'lib/price.py',
  questions: [
    { file_path: 'lib/price.py', position_pattern: 'def @@price' },
    { file_path: 'lib/price.py', position_pattern: 'class Till:\n    def @@ring' },
    { file_path: 'app/cart.py', position_pattern: 'def @@total' },
  ],
  caller: (name) => `from lib.price import price\n\n${name} = price(1) + price(2)\n`,
  renamed: (name) => `from lib.price import price as cost\n\n${name} = cost(3)\n`,
  config: [
    ['pyrightconfig.json', '{ "reportMissingImports": false }'],
    ['pyrightconfig.json', '{}'],
  ],
  choices: ['import Till', 'import Bell as Till'],
};

/** The same choices at every run. */
export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }
  roll(sides: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * sides);
  }
  pick<T>(items: readonly T[]): T {
    const item = items[this.roll(items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }
}

/** A workspace that things happen to. */
export class Living {
  readonly #root: string;
  readonly #dialect: Dialect;
  readonly #dice: Dice;
  readonly #extras: string[] = [];
  #count = 0;

  constructor(root: string, dialect: Dialect, dice: Dice) {
    this.#root = root;
    this.#dialect = dialect;
    this.#dice = dice;
  }

  /** Does something, and says what. */
  async happen(): Promise<string> {
    const { extension, caller, renamed, config, choices, core } = this.#dialect;
    const extra = this.#extras.length > 0 ? this.#dice.pick(this.#extras) : undefined;
    const name = `extra${this.#count++}`;
    switch (this.#dice.roll(10)) {
      case 0:
        return this.#add(`app/${name}.${extension}`, caller(name));
      case 1:
        return this.#add(
          `app/deep/${name}.${extension}`,
          extension === 'ts' ? caller(name).replace('../', '../../') : caller(name),
        );
      case 2:
        return this.#add(`app/${name}.${extension}`, renamed(name));
      case 3:
        return this.#write(
          `app/plain.${extension}`,
          `${extension === 'ts' ? 'export const ' : ''}plain = ${this.#count}\n`,
        );
      case 4: {
        if (extra === undefined) return 'nothing';
        this.#extras.splice(this.#extras.indexOf(extra), 1);
        await rm(join(this.#root, extra));
        return `deleted ${extra}`;
      }
      case 5: {
        if (extra === undefined) return 'nothing';
        const to = `${dirname(extra)}/${name}.${extension}`;
        await rename(join(this.#root, extra), join(this.#root, to));
        this.#extras.splice(this.#extras.indexOf(extra), 1, to);
        return `renamed ${extra} to ${to}`;
      }
      case 6: {
        const choice = `lib/choice.${extension}`;
        const text = await readFile(join(this.#root, choice), 'utf8');
        const [one, other] = choices;
        return this.#write(
          choice,
          text.includes(one) && !text.includes(other) ? text.replace(one, other) : text.replace(other, one),
        );
      }
      case 7:
        return this.#write(...this.#dice.pick(config));
      case 8: {
        const text = await readFile(join(this.#root, core), 'utf8');
        const mark = extension === 'ts' ? '//' : '#';
        return this.#write(
          core,
          text.startsWith(mark) ? text.slice(text.indexOf('\n') + 1) : `${mark} ${name}\n${text}`,
        );
      }
      default:
        return extra === undefined
          ? 'nothing'
          : this.#write(extra, `${extension === 'ts' ? '//' : '#'} price\n`);
    }
  }

  async #add(path: string, text: string): Promise<string> {
    this.#extras.push(path);
    return this.#write(path, text);
  }

  async #write(path: string, text: string): Promise<string> {
    await mkdir(dirname(join(this.#root, path)), { recursive: true });
    await writeFile(join(this.#root, path), text);
    return `wrote ${path}`;
  }
}

/** What of an answer must be the same, whether it is cached or not. */
export const said = ({ text, isError }: ToolAnswer): unknown => ({ text, isError });

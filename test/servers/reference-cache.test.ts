/** References from the cache are the references a server would give, whatever happens to the files in between. */
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workspaceKey } from '../../src/storage/workspace-key.ts';
import { type ToolAnswer, ToolWorld } from '../support/tool-world.ts';

let caches = '';
beforeAll(async () => {
  caches = await realpath(await mkdtemp(join(tmpdir(), 'forerun-caches-')));
});
afterAll(async () => {
  await rm(caches, { recursive: true, force: true });
});

const typescript = {
  'package.json': '{}',
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler' },
  }),
  'lib/price.ts':
    'export function price(cents: number): number {\n  return cents;\n}\n\nexport class Till {\n  ring(): number {\n    return price(1);\n  }\n}\n\nexport class Bell {\n  ring(): number {\n    return 0;\n  }\n}\n',
  // Says which of the two is rung, without a mention of ringing.
  'lib/choice.ts':
    "import { Bell, Till } from './price';\n\nexport const chosen = (): Till => new Till();\nexport type Other = Bell;\n",
  'app/desk.ts':
    "import { chosen } from '../lib/choice';\n\nexport const heard = (): number => chosen().ring();\n",
  'app/cart.ts': "import { price } from '../lib/price';\n\nexport const total = (): number => price(100);\n",
  'app/plain.ts': 'export const plain = 1;\n',
};

const python = {
  'pyrightconfig.json': '{}',
  'lib/__init__.py': '',
  'lib/price.py':
    'def price(cents: int) -> int:\n    return cents\n\n\nclass Till:\n    def ring(self) -> int:\n        return price(1)\n\n\nclass Bell:\n    def ring(self) -> int:\n        return 0\n',
  'lib/choice.py': 'from lib.price import Till\n\n\ndef chosen() -> Till:\n    return Till()\n',
  'app/__init__.py': '',
  'app/desk.py': 'from lib.choice import chosen\n\n\ndef heard() -> int:\n    return chosen().ring()\n',
  'app/cart.py': 'from lib.price import price\n\n\ndef total() -> int:\n    return price(100)\n',
  'app/plain.py': 'plain = 1\n',
};

interface Dialect {
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

const typescriptDialect: Dialect = {
  files: typescript,
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
        compilerOptions: { strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler' },
        exclude: ['app/cart.ts'],
      }),
    ],
    ['tsconfig.json', typescript['tsconfig.json']],
    ['package.json', '{ "name": "shop" }'],
    ['package.json', '{}'],
  ],
  choices: ['(): Till => new Till()', '(): Bell => new Bell()'],
};

const pythonDialect: Dialect = {
  files: python,
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
class Dice {
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
class Living {
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

const said = ({ text, isError }: ToolAnswer): unknown => ({ text, isError });

async function compareThrough(
  dialect: Dialect,
  steps: number,
  seed: number,
): Promise<{ hits: number; asked: number }> {
  await using cached = await ToolWorld.open(dialect.files, { cacheDirectory: caches });
  const { root } = cached.world;
  await using live = await ToolWorld.open({}, { root });
  const living = new Living(root, dialect, new Dice(seed));
  const history: string[] = [];
  let hits = 0;
  let asked = 0;
  for (let step = 0; step < steps; step++) {
    history.push(await living.happen());
    for (const question of dialect.questions) {
      const args = { ...question, file_path: join(root, question.file_path ?? '') };
      const answers = [
        await cached.call('find_references', args),
        await live.call('find_references', args),
      ] as const;
      // One of them may still be reading what the other has read; that it says so is no other answer.
      if (answers.some(({ meta }) => meta.code === 'tools/still-indexing')) continue;
      expect(
        said(answers[0]),
        `${question.position_pattern} after ${history.slice(-4).join(', ')} (step ${step})`,
      ).toEqual(said(answers[1]));
      asked += 1;
      if (answers[0].meta.cached !== undefined) hits += 1;
    }
    if (step % 50 === 49) {
      await using fresh = await ToolWorld.open({}, { root });
      for (const question of dialect.questions) {
        const args = { ...question, file_path: join(root, question.file_path ?? '') };
        expect(said(await cached.call('find_references', args)), `a new server, step ${step}`).toEqual(
          said(await fresh.call('find_references', args)),
        );
      }
    }
    if (step % 10 !== 9) continue;
    const args = { changed_files: [join(root, dialect.core)] };
    expect(
      said(await cached.call('blast_radius', args)),
      `blast_radius after ${history.at(-1)} (step ${step})`,
    ).toEqual(said(await live.call('blast_radius', args)));
  }
  return { hits, asked };
}

describe('through random changes the cached answer is the live one', () => {
  test('TypeScript', { timeout: 300_000 }, async () => {
    const { hits, asked } = await compareThrough(typescriptDialect, 200, 7);
    expect(asked).toBe(800);
    expect(hits).toBeGreaterThan(80);
  });

  // Its server takes in a new file a second late, and nothing is kept meanwhile.
  test('Python', { timeout: 300_000 }, async () => {
    const { hits } = await compareThrough(pythonDialect, 20, 11);
    expect(hits).toBeGreaterThan(0);
  });
});

const places = {
  typescript: { file_path: 'lib/price.ts', position_pattern: 'function @@price' },
  python: { file_path: 'lib/price.py', position_pattern: 'def @@price' },
};

async function ask(world: ToolWorld, place = places.typescript): Promise<ToolAnswer> {
  return world.call('find_references', { ...place, file_path: world.at(place.file_path) });
}

const isCached = ({ meta }: ToolAnswer): boolean => meta.cached !== undefined;

describe('what was found out once', () => {
  test.each([
    ['TypeScript', typescript, places.typescript],
    ['Python', python, places.python],
  ] as const)('is told again, by the next process too, without a server: %s', async (_name, files, place) => {
    await using first = await ToolWorld.open(files, { cacheDirectory: caches });
    const live = await ask(first, place);
    expect(isCached(live)).toBe(false);
    const again = await ask(first, place);
    expect(again.json).toEqual(live.json);
    expect(again.meta).toMatchObject({ indexed: true, cached: { fingerprint: expect.any(String) } });
    await using next = await ToolWorld.open({}, { root: first.world.root, cacheDirectory: caches });
    const later = await ask(next, place);
    expect(later.json).toEqual(live.json);
    expect(later.meta.cached).toEqual(again.meta.cached);
    expect(next.world.live.servers.pools).toEqual([]);
  });

  test('is told again after an edit that has nothing to do with it, and not after one that has', async () => {
    await using world = await ToolWorld.open(typescript, { cacheDirectory: caches });
    await ask(world);
    await world.world.write('app/plain.ts', 'export const plain = 2;\n');
    expect(isCached(await ask(world))).toBe(true);
    await world.world.write('app/more.ts', typescriptDialect.caller('more'));
    const after = await ask(world);
    expect(isCached(after)).toBe(false);
    expect(after.text).toContain('more.ts');
    expect(isCached(await ask(world))).toBe(true);
  });

  test('is found again when the files are again as they were', async () => {
    await using world = await ToolWorld.open(typescript, { cacheDirectory: caches });
    const before = await ask(world);
    await world.world.write('app/cart.ts', 'export const total = 0;\n');
    await ask(world);
    await world.world.write('app/cart.ts', typescript['app/cart.ts']);
    const after = await ask(world);
    expect(isCached(after)).toBe(true);
    expect(after.json).toEqual(before.json);
  });

  test('is nothing to a question about unsaved text', async () => {
    await using world = await ToolWorld.open(typescript, { cacheDirectory: caches });
    await ask(world);
    const text = typescriptDialect.caller('total');
    await world.call('open_document', { file_path: world.at('app/plain.ts'), text });
    const unsaved = await ask(world);
    expect(isCached(unsaved)).toBe(false);
    expect(unsaved.text).toContain('plain.ts');
    await world.call('close_document', { file_path: world.at('app/plain.ts') });
    const saved = await ask(world);
    expect(isCached(saved)).toBe(true);
    expect(saved.text).not.toContain('plain.ts');
  });

  test('is nothing to safe_delete_symbol', async () => {
    await using world = await ToolWorld.open(
      { ...typescript, 'lib/lonely.ts': 'export function lonely(): void {}\n' },
      { cacheDirectory: caches },
    );
    const lonely = { file_path: world.at('lib/lonely.ts'), symbol_path: 'lonely' };
    await world.call('blast_radius', { changed_files: [lonely.file_path] });
    await world.world.write('app/user.ts', "import { lonely } from '../lib/lonely';\n\nlonely();\n");
    const refused = await world.call('safe_delete_symbol', lonely);
    expect(refused.isError).toBe(true);
    expect(await world.world.read('lib/lonely.ts')).toContain('lonely');
  });

  test('of an impact is told again as a whole', async () => {
    await using world = await ToolWorld.open(typescript, { cacheDirectory: caches });
    const args = { changed_files: [world.at('lib/price.ts')], include_transitive: true };
    const live = await world.call('blast_radius', args);
    const again = await world.call('blast_radius', args);
    expect(again.json).toEqual(live.json);
    expect([isCached(live), isCached(again)]).toEqual([false, true]);
  });
});

describe('where no cache can be', () => {
  test.each([
    [
      'a directory stands in the place of its file',
      (directory: string) => mkdir(join(directory, 'refs.db'), { recursive: true }),
    ],
    ['its directory is a file', (directory: string) => writeFile(directory, '')],
  ])('answers are the same: %s', async (_name, spoil) => {
    await using plain = await ToolWorld.open(typescript);
    const { root } = plain.world;
    const spoiled = await mkdtemp(join(caches, 'spoiled-'));
    await spoil(join(spoiled, workspaceKey(root)));
    await using world = await ToolWorld.open({}, { root, cacheDirectory: spoiled });
    for (let round = 0; round < 2; round++) {
      expect(said(await ask(world))).toEqual(said(await ask(plain)));
      await world.world.write(`app/more${round}.ts`, typescriptDialect.caller('more'));
    }
    const refused = await world.call('export_cache', { dest_path: 'cache.gz' });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining('reference cache is not available'),
    });
  });
});

describe('an exported cache', () => {
  const artifact = '.forerun/cache.db.gz';

  test('serves another checkout of the same contents, asked for or found there', async () => {
    await using from = await ToolWorld.open(typescript, { cacheDirectory: caches });
    const live = await ask(from);
    const exported = await from.call('export_cache', { dest_path: artifact });
    expect(exported.text).toMatch(/^Cache exported to .*cache\.db\.gz \(\d+ entries\)$/);
    const packed = await readFile(from.at(artifact));
    for (const way of ['import', 'found'] as const) {
      await using to = await ToolWorld.open(typescript, {
        cacheDirectory: await mkdtemp(join(caches, 'other-')),
      });
      await mkdir(dirname(to.at(artifact)), { recursive: true });
      await writeFile(to.at(way === 'found' ? artifact : 'packed.gz'), packed);
      if (way === 'import') {
        const imported = await to.call('import_cache', { src_path: 'packed.gz' });
        expect(imported.text).toMatch(/^Cache imported from .*packed\.gz \(\d+ entries\)$/);
      }
      // Which version of the server is installed here is learned from its first start.
      await to.call('find_references', { file_path: to.at('app/cart.ts'), position_pattern: '@@total' });
      const known = await ask(to);
      expect(isCached(known)).toBe(true);
      expect(known.text.replaceAll(to.world.root, '')).toBe(live.text.replaceAll(from.world.root, ''));
    }
  });

  test('that is damaged is refused by name, and what is known stays', async () => {
    await using world = await ToolWorld.open(typescript, { cacheDirectory: caches });
    await ask(world);
    await world.call('export_cache', { dest_path: artifact });
    const packed = await readFile(world.at(artifact));
    await writeFile(world.at('half.gz'), packed.subarray(0, packed.length / 2));
    const refused = await world.call('import_cache', { src_path: 'half.gz' });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('import failed: ') });
    expect(isCached(await ask(world))).toBe(true);
  });

  test('lies inside the workspace', async () => {
    await using world = await ToolWorld.open(typescript, { cacheDirectory: caches });
    const refused = await world.call('export_cache', { dest_path: join(tmpdir(), 'elsewhere.gz') });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('outside workspace root') });
  });
});

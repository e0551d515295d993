/**
 * What a person waits for in the page itself, measured in Chromium: the first load, a key in a long file, and what an hour of
 * typing and ten tabs cost.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { z } from 'zod';
import { startedBrowser } from '../test/browser/support/chromium.ts';
import { chromiumProgram } from '../test/browser/support/chromium-program.ts';
import { EditorWorld } from '../test/support/editor-world.ts';
import { builtPage } from '../test/support/page-build.ts';
import type { Line } from './bench.ts';
import type { BenchContext } from './support/bench-context.ts';
import { measurementOf, timed } from './support/measurement.ts';

/** A person who types 60 words in a minute, for an hour. */
const keysPerMinute = 300;
const minutes = 60;
const keysPerHour = keysPerMinute * minutes;
const longFile = 20_000;
const tabs = 10;

const files = {
  'long.ts': Array.from({ length: longFile }, (_, index) => `export const value${index} = ${index};`).join(
    '\n',
  ),
  'short.ts': Array.from({ length: 100 }, (_, index) => `export const value${index} = ${index};`).join('\n'),
};

export async function* pageLines(context: BenchContext, signal: AbortSignal): AsyncIterable<Line> {
  if (chromiumProgram === undefined) {
    yield { kind: 'skipped', what: 'the page', why: 'Chromium is not installed' };
    return;
  }
  context.progress('the page in Chromium');
  const webDirectory = await builtPage();
  const browser = await startedBrowser();
  await using world = await EditorWorld.open({ files, webDirectory });
  yield await firstLoad(browser, world);
  signal.throwIfAborted();
  yield* await keyLatency(browser, world);
  signal.throwIfAborted();
  yield await manyTabs(browser, world);
  await browser.close();
}

/** Loads the page afresh; the bytes are those of the scripts and styles that the first screen asked for, compressed. */
async function firstLoad(browser: Browser, world: EditorWorld): Promise<Line> {
  const elapsed: number[] = [];
  let bytes = 0;
  for (let round = 0; round < 5; round += 1) {
    await using opened = await OpenedPage.open(browser);
    const asked = new Set<string>();
    opened.page.on('request', (request) => asked.add(new URL(request.url()).pathname));
    elapsed.push(await timed(() => opened.enter(world)));
    bytes = await compressedBytes([...asked].filter((path) => /\.(js|css)$/.test(path)));
  }
  const kilobytes = bytes / 1000;
  return {
    kind: 'measured',
    what: 'first load: address to a page that can be used',
    ours: measurementOf(elapsed, 'ms'),
    goal: { kind: 'below', limit: 2000 },
    note: `${kilobytes.toFixed(0)} kB of scripts and styles, compressed`,
    ...(kilobytes >= 400 && { shortfall: 'more than 400 kB' }),
  };
}

async function compressedBytes(paths: readonly string[]): Promise<number> {
  const directory = await builtPage();
  const sizes = await Promise.all(
    paths.map(async (path) => gzipSync(await readFile(join(directory, path))).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** From a key to the frame that shows it; then an hour of keys, and what the page holds after it. */
async function keyLatency(browser: Browser, world: EditorWorld): Promise<readonly Line[]> {
  await using opened = await OpenedPage.open(browser);
  await opened.enter(world);
  await opened.show('short.ts');
  const short = await opened.keys(100);
  await opened.show('long.ts');
  const long = await opened.keys(100);
  await opened.show('short.ts');
  const before = await opened.heapMegabytes();
  for (let minute = 0; minute < minutes; minute += 1) await opened.typeAMinute(world, 'short.ts');
  const after = await opened.heapMegabytes();
  return [
    {
      kind: 'measured',
      what: `a key to its frame in a file of ${longFile.toLocaleString('en')} lines`,
      ours: measurementOf(long, 'ms'),
      beside: { what: 'a file of 100 lines', measurement: measurementOf(short, 'ms') },
      goal: { kind: 'below', limit: 50 },
    },
    {
      kind: 'measured',
      what: `memory of the page after ${keysPerHour.toLocaleString('en')} keys`,
      ours: measurementOf([after], 'MB'),
      beside: { what: 'before them', measurement: measurementOf([before], 'MB') },
      goal: { kind: 'below', limit: 200 },
    },
  ];
}

/** A key in one of ten tabs, until every other one shows it. */
async function manyTabs(browser: Browser, world: EditorWorld): Promise<Line> {
  const opened: OpenedPage[] = [];
  try {
    for (let index = 0; index < tabs; index += 1) {
      const page = await OpenedPage.open(browser);
      opened.push(page);
      await page.enter(world);
      await page.show('short.ts');
    }
    const [first, ...others] = opened;
    const elapsed: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const word = `round${round}`;
      elapsed.push(
        await timed(async () => {
          await first?.insert(`${word} `);
          await Promise.all(others.map((other) => other.shows(word)));
        }),
      );
    }
    const heaps = await Promise.all(opened.map((page) => page.heapMegabytes()));
    const sum = heaps.reduce((total, heap) => total + heap, 0);
    return {
      kind: 'measured',
      what: `a word typed in one of ${tabs} tabs is in all of them`,
      ours: measurementOf(elapsed, 'ms'),
      goal: { kind: 'below', limit: 500 },
      note: `${sum.toFixed(0)} MB in the heaps of ${tabs} pages`,
    };
  } finally {
    for (const page of opened) await page[Symbol.asyncDispose]();
  }
}

/** A page in a browser profile of its own. */
class OpenedPage implements AsyncDisposable {
  readonly page: Page;
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
  }

  static async open(browser: Browser): Promise<OpenedPage> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
    });
    return new OpenedPage(context, await context.newPage());
  }

  async enter(world: EditorWorld): Promise<void> {
    await this.page.goto(world.server.url);
    await this.page.locator('.app[data-link=online][data-ready=true]').waitFor();
  }

  async show(path: string): Promise<void> {
    await this.page.keyboard.press('Control+p');
    const field = this.page.getByRole('combobox', { name: 'Go to' });
    await field.fill(path);
    await this.page.locator(`#palette-list[data-for="${path}"] li`).first().waitFor();
    await field.press('Enter');
    await this.page.locator(`[data-file="${path}"] .cm-content`).click();
  }

  /** How long each of some keys takes until the frame after it. */
  async keys(count: number): Promise<readonly number[]> {
    await this.page.evaluate(watchKeys);
    for (let key = 0; key < count; key += 1) await this.page.keyboard.press('a');
    await this.page.waitForFunction(`elapsed.length >= ${count}`);
    return z.array(z.number()).parse(await this.page.evaluate('elapsed'));
  }

  /** Types faster than a person, and waits for the back end as a slower one need not. */
  async typeAMinute({ editor }: EditorWorld, path: string): Promise<void> {
    const length = (): number => editor.buffers.all.find((each) => each.path === path)?.text.length ?? 0;
    const wanted = length() + keysPerMinute;
    await this.page.evaluate(`(${typing})(${keysPerMinute})`);
    for (const signal = AbortSignal.timeout(60_000); length() < wanted; signal.throwIfAborted()) {
      await new Promise((next) => setTimeout(next, 5));
    }
  }

  async insert(text: string): Promise<void> {
    await this.page.keyboard.insertText(text);
  }

  async shows(word: string): Promise<void> {
    await this.page.locator('.cm-content', { hasText: word }).waitFor();
  }

  /** What is left after the garbage was collected. */
  async heapMegabytes(): Promise<number> {
    const session = await this.#context.newCDPSession(this.page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    await session.detach();
    return usedSize / 2 ** 20;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
  }
}

/** Scripts of the page are text here: this file knows nothing of its globals. */
const watchKeys = `
  globalThis.elapsed = [];
  globalThis.watched ??= addEventListener(
    'keydown',
    ({ timeStamp }) => requestAnimationFrame(() => elapsed.push(performance.now() - timeStamp)),
    { capture: true },
  ) ?? true;
`;

/** Keys as the text gets them, a frame for every thirty; every hundredth key ends a line. */
const typing = `async (keys) => {
  const content = document.querySelector('.cm-content');
  const view = (content.cmTile ?? content.cmView).view;
  for (let key = 1; key <= keys; key += 1) {
    const { head } = view.state.selection.main;
    const insert = key % 100 === 0 ? '\\n' : 'a';
    view.dispatch({ changes: { from: head, insert }, selection: { anchor: head + 1 }, userEvent: 'input.type' });
    if (key % 30 === 0) await new Promise((next) => requestAnimationFrame(next));
  }
}`;

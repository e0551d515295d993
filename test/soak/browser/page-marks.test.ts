/** Marks of servers in the page, under random edits: as a test of the page, with a real browser and real servers. */
import { expect } from 'vitest';
import type { EditorEvent } from '../../../src/editor/protocol.ts';
import { pythonShop, shop } from '../../browser/support/shop.ts';
import { browserTest, type EditorTab, ShownEditor } from '../../browser/support/shown-editor.ts';
import { EditorWorld } from '../../support/editor-world.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { rounds } from '../../support/soak.ts';
import { until } from '../../support/until.ts';

/** The page is compared with a fresh server five times. */
const edits = rounds({ everyRun: 25, soak: 200 });

browserTest.each([
  {
    language: 'TypeScript',
    files: shop,
    path: 'src/cart.ts',
    pieces: [
      'x',
      ';',
      ' ',
      '\n',
      'total(',
      ')',
      'Item',
      ': string',
      '{',
      '}',
      '.cents',
      'const q = 1;\n',
    ] as const,
  },
  {
    language: 'Python',
    files: pythonShop,
    path: 'cart.py',
    pieces: [
      'x',
      ':',
      ' ',
      '\n',
      'total(',
      ')',
      'int',
      ' = "a"',
      '[',
      ']',
      '.cents',
      '\nq: int = 1\n',
    ] as const,
  },
])(
  `$language: no mark outlives a change in ${edits} random edits, and those shown are what a fresh server says`,
  async ({ files, path, pieces }) => {
    await using shown = await ShownEditor.open({ files });
    const tab = await shown.page();
    // So high that every line is drawn.
    await tab.page.setViewportSize({ width: 1280, height: 6000 });
    await tab.open(path);
    await tab.command('Problems: show');
    const random = SeededRandom.fromEnvironment();
    const moments: ShownMoment[] = [];
    for (let round = 1; round <= edits; round++) {
      const left = await tab.change(path, {
        at: random.below(1000) / 1000,
        drop: random.happens(30) ? random.below(12) : 0,
        piece: random.pick(pieces),
      });
      expect(left).toBe(0);
      if (round % (edits / 5) !== 0) continue;
      await tab.checked(path);
      moments.push(await shownMoment(tab, path));
    }
    const fresh = await freshErrors(files, path, moments);
    for (const [index, { text, count, errors, marked }] of moments.entries()) {
      const said = errorsIn(text, fresh[index] ?? []);
      // The panel draws the rows that are in sight; its count is of all.
      expect(count).toBe(`Problems${said.count === 0 ? '' : said.count}`);
      expect(said.errors).toEqual(expect.arrayContaining([...errors]));
      expect(said.covered).toEqual(expect.arrayContaining([...marked]));
      expect(marked).toEqual(expect.arrayContaining([...said.begun]));
    }
  },
);

/** What the page says of a text at one moment. */
interface ShownMoment {
  readonly text: string;
  /** The words on the tab of the problems panel. */
  readonly count: string | null;
  readonly errors: readonly string[];
  readonly marked: readonly number[];
}

async function shownMoment(tab: EditorTab, path: string): Promise<ShownMoment> {
  return {
    text: await tab.text(path),
    count: await tab.page.getByRole('tab', { name: 'Problems' }).textContent(),
    errors: await shownErrors(tab),
    marked: await tab.markedLines(path),
  };
}

/** The errors of the problems panel, as `line:column message`. */
async function shownErrors(tab: EditorTab): Promise<readonly string[]> {
  const rows = await tab.page
    .locator('.problem[data-severity=error]')
    .evaluateAll((all) =>
      all.map((row) => `${row.querySelector('.pos')?.textContent} ${row.querySelector('.msg')?.textContent}`),
    );
  return rows.sort();
}

type Said = Extract<EditorEvent, { readonly kind: 'code.diagnostics' }>['diagnostics']['items'];

/** What a server says of each text that has seen nothing but these files on disk, one workspace for each text. */
async function freshErrors(
  files: Readonly<Record<string, string>>,
  path: string,
  texts: readonly { readonly text: string }[],
): Promise<readonly Said[]> {
  const folder = (index: number): string => `text-${index}`;
  const trees = texts.flatMap(({ text }, index) =>
    Object.entries({ ...files, [path]: text }).map(([name, content]) => [
      `${folder(index)}/${name}`,
      content,
    ]),
  );
  await using world = await EditorWorld.open({
    files: Object.fromEntries(trees),
    definitions: 'detect',
    trust: 'trusted',
  });
  const page = await world.page();
  const said: Said[] = [];
  for (const [index] of texts.entries()) {
    const asked = `${folder(index)}/${path}`;
    await page.request('buffer.open', { path: asked });
    said.push(
      await until(() => {
        const found = page.events.findLast(
          (event) => event.kind === 'code.diagnostics' && event.diagnostics.path === asked,
        );
        if (found?.kind !== 'code.diagnostics') throw new Error('nothing was said yet');
        expect(found.diagnostics.proof).toBe('proved');
        return found.diagnostics.items;
      }),
    );
  }
  return said;
}

interface ErrorLines {
  readonly errors: readonly string[];
  /** The lines that errors cover, from zero, and those on which one begins at a character. */
  readonly covered: readonly number[];
  readonly begun: readonly number[];
  readonly count: number;
}

function errorsIn(text: string, items: Said): ErrorLines {
  const errors = items.filter(({ severity }) => severity === 'error');
  const lines = text.split('\n');
  return {
    errors: errors.map(
      ({ range, message }) => `${range.start.line + 1}:${range.start.character + 1} ${message}`,
    ),
    covered: errors.flatMap(({ range: { start, end } }) =>
      Array.from({ length: end.line - start.line + 1 }, (_, index) => start.line + index),
    ),
    begun: errors.flatMap(({ range: { start } }) =>
      start.character < (lines[start.line]?.length ?? 0) ? [start.line] : [],
    ),
    count: items.filter(({ severity }) => severity === 'error' || severity === 'warning').length,
  };
}

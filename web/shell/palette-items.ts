/** What the palette lists for a text: commands, files, symbols or a line. */
import { fuzzyMatch } from './fuzzy-match.ts';
import type { Page } from './page.ts';
import type { PaletteItem } from './palette-item.ts';
import type { FileMark } from './part.ts';
import { folderOf, nameOf } from './place.ts';

export interface PaletteList {
  readonly items: readonly PaletteItem[];
  /** Said when there are none. */
  readonly empty: string;
}

export async function paletteItems(page: Page, text: string, signal: AbortSignal): Promise<PaletteList> {
  if (text.startsWith('>')) return commandItems(page, text.slice(1).trim());
  if (text.startsWith(':')) return lineItems(page, text.slice(1).trim());
  if (text.startsWith('#')) return await symbolItems(page, text.slice(1).trim(), signal);
  return await fileItems(page, text.trim(), signal);
}

function commandItems(page: Page, query: string): PaletteList {
  const recent = page.commands.recent.peek();
  const found = page.commands.all.peek().flatMap((command) => {
    const match = fuzzyMatch(query, command.title);
    if (command.isHidden === true || match === undefined || command.isEnabled?.() === false) return [];
    return [{ command, match }];
  });
  const rank = (id: string): number => recent.indexOf(id);
  found.sort((a, b) => {
    const byScore = b.match.score - a.match.score;
    const byUse = rank(b.command.id) - rank(a.command.id);
    return (query === '' ? byUse : byScore) || a.command.title.localeCompare(b.command.title);
  });
  return {
    items: found.map(({ command, match }) => ({
      id: command.id,
      icon: command.icon ?? 'go',
      title: command.title,
      hits: match.hits,
      detail: '',
      keys: page.commands.keysOf(command.id),
      run: () => page.commands.run(command.id),
    })),
    empty: `No command for “${query}”.`,
  };
}

function lineItems(page: Page, query: string): PaletteList {
  const path = page.tabs.activePath.peek();
  const [line = Number.NaN, column = 1] = query.split(/[:,]/).map(Number);
  if (path === undefined) return { items: [], empty: 'Open a file to go to a line.' };
  if (!Number.isInteger(line) || line < 1) return { items: [], empty: 'Type a line number.' };
  const at = { path, line: line - 1, character: Math.max(column - 1, 0) || 0 };
  return {
    items: [
      {
        id: 'line',
        icon: 'go',
        title: `Line ${line}`,
        hits: new Set(),
        detail: nameOf(path),
        keys: [],
        run: () => page.openFile(path, { at }),
      },
    ],
    empty: '',
  };
}

async function symbolItems(page: Page, query: string, signal: AbortSignal): Promise<PaletteList> {
  for (const { symbols } of page.parts.peek()) {
    if (symbols === undefined) continue;
    return { items: await symbols(query, signal), empty: `No symbol for “${query}”.` };
  }
  return { items: [], empty: 'Symbols need a language server.' };
}

async function fileItems(page: Page, query: string, signal: AbortSignal): Promise<PaletteList> {
  const open = [...page.tabs.paths.peek()].filter((path) => fuzzyMatch(query, path) !== undefined);
  const { paths } = await page.link.request('file.find', { query, limit: 50 }, signal);
  const marks = fileMarks(page);
  // Without a query what is open comes first; with one, the order of the back end counts.
  const all = query === '' ? [...new Set([...open, ...paths])] : paths;
  return {
    items: all.map((path) => ({
      id: path,
      icon: 'file',
      title: nameOf(path),
      hits: fuzzyMatch(query, nameOf(path))?.hits ?? new Set(),
      detail: folderOf(path),
      keys: [],
      mark: marks.get(path),
      run: () => page.openFile(path),
    })),
    empty: `No file for “${query}”.`,
  };
}

/** The marks of all parts; the first part that has one for a file wins. */
export function fileMarks(page: Page): ReadonlyMap<string, FileMark> {
  const all = page.parts.value.flatMap((part) => [...(part.fileMarks?.value ?? [])]);
  return new Map(all.reverse());
}

/**
 * The documents as a static site: every page of `docs/` and the documents at the top of the repository, with one style and
 * one list of pages. Nothing is loaded from elsewhere.
 *
 * Invariant: a page has the address of its file with `.html` for `.md`, so that links between documents stay as written.
 */
import { posix } from 'node:path';
import { Marked } from 'marked';
import { headingId } from './link-target.ts';

export interface SitePage {
  /** Its path in the repository, as `docs/guide/chat.md`. */
  readonly path: string;
  readonly text: string;
}

interface Section {
  readonly title: string;
  readonly holds: (path: string) => boolean;
}

const sections: readonly Section[] = [
  { title: 'Start', holds: (path) => path === 'README.md' || path === 'docs/guide/quick-start.md' },
  { title: 'Guides', holds: (path) => path.startsWith('docs/guide/') },
  { title: 'Reference', holds: (path) => /^docs\/[^/]+\.md$/.test(path) },
  { title: 'Project', holds: (path) => /^[A-Z]+\.md$/.test(path) || path.startsWith('bench/') },
  { title: 'Decisions', holds: (path) => path.startsWith('docs/') },
];

/** Folders whose files documents link to as they are. */
export const linkedFolders: readonly string[] = ['examples'];

/** The pages as HTML, by their path in the site; `files` are those of the linked folders. */
export function sitePages(pages: readonly SitePage[], files: readonly string[]): ReadonlyMap<string, string> {
  const lists = folderLists([...pages.map(({ path }) => path), ...files]);
  return new Map([
    ...pages.map((page) => [addressOf(page.path), rendered(page, pages)] as const),
    ...lists.map((list) => [list.path.replace(/\.md$/, '.html'), rendered(list, pages)] as const),
  ]);
}

/** A list of its files for every folder. */
function folderLists(paths: readonly string[]): readonly SitePage[] {
  const folders = new Set(paths.flatMap((path) => (path.includes('/') ? [posix.dirname(path)] : [])));
  return [...folders].map((folder) => {
    const names = paths.filter((path) => posix.dirname(path) === folder).map((path) => posix.basename(path));
    return {
      path: `${folder}/index.md`,
      text: [`# ${folder}`, '', ...names.map((name) => `- [${name.replace(/\.md$/, '')}](${name})`), ''].join(
        '\n',
      ),
    };
  });
}

/** The path of a document in the site; the README is its first page. */
export function addressOf(path: string): string {
  return path === 'README.md' ? 'index.html' : path.replace(/\.md$/, '.html');
}

export function titleOf({ path, text }: SitePage): string {
  return /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? path;
}

function rendered(page: SitePage, pages: readonly SitePage[]): string {
  const up = '../'.repeat(page.path.split('/').length - 1);
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(titleOf(page))} · Forerun</title>`,
    `<link rel="stylesheet" href="${up}style.css">`,
    '</head>',
    '<body>',
    `<nav aria-label="Pages">\n${navigation(page, pages, up)}\n</nav>`,
    `<main>\n${bodyOf(page)}</main>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function navigation(current: SitePage, pages: readonly SitePage[], up: string): string {
  const listed = new Set<string>();
  return sections
    .map(({ title, holds }) => {
      const own = pages.filter(({ path }) => holds(path) && !listed.has(path));
      for (const { path } of own) listed.add(path);
      const items = own.map((page) => {
        const mark = page.path === current.path ? ' aria-current="page"' : '';
        return `<li><a href="${up}${addressOf(page.path)}"${mark}>${escaped(titleOf(page))}</a></li>`;
      });
      return `<h2>${title}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
    })
    .join('\n');
}

function bodyOf({ path, text }: SitePage): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: title }) {
        return `<h${depth} id="${headingId(title)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(siteLink(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return path === 'README.md' ? html : html.replace(/^<!--.*?-->\n/, '');
}

/** Links to documents lead to their pages, those to folders to the lists of their files. */
function siteLink(href: string): string {
  if (/^[a-z]+:|^#/.test(href)) return href;
  if (posix.extname(href.replace(/#.*$/, '')) === '' && !/LICENSE$/.test(href)) return `${href}/index.html`;
  return href.replace(/(?:^|(?<=\/))README\.md/, 'index.html').replace(/\.md(?=#|$)/, '.html');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

export const siteStyle = `:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
body { display: grid; grid-template-columns: 16rem minmax(0, 1fr); gap: 2rem; max-width: 76rem; margin: 0 auto; padding: 1rem; }
nav h2 { font-size: 0.85rem; margin: 1rem 0 0.25rem; }
nav ul { list-style: none; margin: 0; padding: 0; font-size: 0.9rem; }
nav a[aria-current] { font-weight: bold; }
main { min-width: 0; }
main img { max-width: 100%; height: auto; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 6px; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
@media (max-width: 50rem) { body { grid-template-columns: 1fr; } main { order: -1; } }
`;

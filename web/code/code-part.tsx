/** Everything that language servers add to the editor. */
import { computed } from '@preact/signals';
import { problemPart } from '../problem/problem-part.tsx';
import type { Command } from '../shell/command-store.ts';
import { fuzzyMatch } from '../shell/fuzzy-match.ts';
import { neverAborts, type Page } from '../shell/page.ts';
import type { PaletteItem } from '../shell/palette-item.ts';
import type { Part } from '../shell/part.ts';
import { nameOf } from '../shell/place.ts';
import { showCalls } from './calls.ts';
import { CodeActionList, CodeActions } from './code-action.tsx';
import { completion } from './completion.tsx';
import { diagnosticMarks } from './diagnostic-marks.ts';
import { DiagnosticStore } from './diagnostic-store.ts';
import { serverFolds } from './folds.ts';
import { FoundStore } from './found-store.ts';
import { FoundView } from './found-view.tsx';
import { symbolHighlights } from './highlights.ts';
import { inlayHints } from './hints.ts';
import { hover } from './hover.tsx';
import { symbolKind } from './kind-name.ts';
import { caretOf, clickToDefinition, findReferences, goTo, openLocation } from './navigation.ts';
import { flat, OutlineStore } from './outline.ts';
import { rename } from './rename.tsx';
import { serverStatus } from './server-status.tsx';
import { signature } from './signature.tsx';
import { semanticTokens } from './tokens.ts';

export function codePart(page: Page): Part {
  const store = new DiagnosticStore(page);
  const found = new FoundStore();
  const actions = new CodeActions(page);
  const outline = new OutlineStore(page);
  found.onShow = () => page.layout.showBottom('search');
  const problems = problemPart(page, store);
  return {
    ...problems,
    bottomViews: [
      ...(problems.bottomViews ?? []),
      {
        id: 'search',
        title: 'References',
        order: 30,
        count: computed(() => {
          const state = found.state.value;
          return state.kind === 'found'
            ? { number: state.found.locations.length, isBreak: false }
            : undefined;
        }),
        body: () => <FoundView page={page} found={found} />,
      },
    ],
    floating: () => <CodeActionList actions={actions} />,
    statusItems: [serverStatus(page, store)],
    commands: [
      ...(problems.commands ?? []),
      ...navigationCommands(page, found),
      ...editCommands(page, actions),
    ],
    settings: [
      {
        key: 'code.hints',
        group: 'Code',
        title: 'Show types and parameter names in the text',
        sentence: 'The language server adds them for reading; they are not part of the file.',
        fallback: false,
        scope: 'user',
      },
    ],
    symbols: (query, signal) => symbolItems(page, outline, query, signal),
    editorExtension: (file) => {
      const document = page.buffers.document(file.path);
      if (document === undefined) return [];
      return [
        diagnosticMarks(store, document),
        hover(page, document),
        completion(page, document),
        signature(page, document),
        semanticTokens(page, document),
        inlayHints(page, document),
        serverFolds(page, document),
        outline.extension(document),
        symbolHighlights(page, document),
        clickToDefinition(page, found, document),
      ];
    },
  };
}

function navigationCommands(page: Page, found: FoundStore): readonly Command[] {
  return [
    {
      id: 'code.definition',
      title: 'Go to definition',
      keys: ['F12'],
      icon: 'go',
      run: () => goTo(page, found, 'definition'),
    },
    {
      id: 'code.type',
      title: 'Go to type definition',
      keys: ['Ctrl K Y'],
      icon: 'go',
      run: () => goTo(page, found, 'typeDefinition'),
    },
    {
      id: 'code.implementation',
      title: 'Go to implementation',
      keys: ['Ctrl F12'],
      icon: 'go',
      run: () => goTo(page, found, 'implementation'),
    },
    {
      id: 'code.references',
      title: 'Find references',
      keys: ['Shift F12'],
      icon: 'search',
      run: () => findReferences(page, found),
    },
    {
      id: 'code.callers',
      title: 'Show callers',
      keys: ['Ctrl K H'],
      icon: 'search',
      run: () => showCalls(page, found, 'incoming'),
    },
    {
      id: 'code.callees',
      title: 'Show what this calls',
      icon: 'search',
      run: () => showCalls(page, found, 'outgoing'),
    },
  ];
}

function editCommands(page: Page, actions: CodeActions): readonly Command[] {
  return [
    {
      id: 'code.rename',
      title: 'Rename symbol…',
      keys: ['F2'],
      icon: 'edit',
      run: () => rename(page),
      isEnabled: () => isInText(page),
    },
    { id: 'code.actions', title: 'Code actions…', keys: ['Ctrl .'], icon: 'edit', run: () => actions.show() },
    { id: 'code.format', title: 'Format file', keys: ['Shift Alt F'], icon: 'edit', run: () => format(page) },
    {
      id: 'code.undo',
      title: 'Undo the last edit of several files',
      icon: 'back',
      run: () => page.run(() => page.link.request('code.undo', {}, neverAborts)),
    },
  ];
}

/** F2 in the tree renames the file. */
function isInText(page: Page): boolean {
  return page.editors.active.peek()?.view.hasFocus === true;
}

function format(page: Page): void {
  const caret = caretOf(page);
  if (caret === undefined) return;
  page.run(async () => {
    const { document, view } = caret;
    const unit = page.editors.indent.peek();
    await document.flush(neverAborts);
    const { isChanged } = await page.link.request(
      'code.format',
      {
        path: document.path,
        version: document.version.peek(),
        tabSize: view.state.tabSize,
        insertSpaces: unit !== 'Tabs',
      },
      AbortSignal.timeout(30_000),
    );
    if (!isChanged) page.toasts.show({ title: 'Already formatted.' });
  });
}

/** Those of the open file first, then those of the workspace. */
async function symbolItems(
  page: Page,
  outline: OutlineStore,
  query: string,
  signal: AbortSignal,
): Promise<readonly PaletteItem[]> {
  const path = page.tabs.activePath.peek();
  const here = (path === undefined ? [] : flat(outline.of(path))).flatMap(
    ({ symbol, container }): readonly PaletteItem[] => {
      const match = fuzzyMatch(query, symbol.name);
      if (match === undefined || path === undefined) return [];
      return [
        {
          id: `here ${symbol.name} ${symbol.selectionRange.start.line}`,
          icon: 'chevronRight',
          title: symbol.name,
          hits: match.hits,
          detail: [symbolKind(symbol.kind), container].filter((word) => word !== '').join(', '),
          keys: [],
          run: () => page.openFile(path, { at: { path, ...symbol.selectionRange.start } }),
        },
      ];
    },
  );
  if (query === '') return here;
  const { symbols } = await page.link.request('code.symbols', { query, limit: 100 }, signal);
  const elsewhere = symbols
    .filter(({ location }) => location.path !== path)
    .map(
      ({ name, kind, location }, index): PaletteItem => ({
        id: `there ${index}`,
        icon: 'chevronRight',
        title: name,
        hits: fuzzyMatch(query, name)?.hits ?? new Set(),
        detail: `${symbolKind(kind)}, ${location.path ?? nameOf(location.uri)}`,
        keys: [],
        run: () => openLocation(page, location),
      }),
    );
  return [...here, ...elsewhere];
}

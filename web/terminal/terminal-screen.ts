/**
 * One terminal drawn by xterm. This module is a chunk of its own, loaded when the first terminal is shown.
 *
 * Invariants: output is drawn in order, each piece once; the next piece is asked for when the last one is drawn. What is no
 * longer kept by the back end is not guessed: the screen is cleared and begins with what is.
 */
import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { type ITheme, Terminal } from '@xterm/xterm';
import { failureOf } from '../link/page-link.ts';
import { neverAborts, type Page } from '../shell/page.ts';

export interface TerminalScreen {
  focus(): void;
  dispose(): void;
}

export function showTerminal(page: Page, host: HTMLElement, id: string): TerminalScreen {
  const terminal = new Terminal({
    fontFamily: token('--font-code'),
    fontSize: 12,
    lineHeight: 1.4,
    theme: themeOf(),
    scrollback: 5_000,
    screenReaderMode: true,
    minimumContrastRatio: 4.5,
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(host);
  // Ctrl ` and the keys of regions belong to the page, also while the terminal has the focus.
  terminal.attachCustomKeyEventHandler(
    (event) => !(event.key === 'F6' || (event.ctrlKey && event.key === '`')),
  );
  const abort = new AbortController();
  terminal.onData((text) => page.run(() => page.link.request('terminal.write', { id, text }, neverAborts)));
  terminal.onResize(({ cols: columns, rows }) =>
    page.run(() => page.link.request('terminal.resize', { id, columns, rows }, neverAborts)),
  );
  const observer = new ResizeObserver(() => fit.fit());
  observer.observe(host);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const repaint = (): void => {
    terminal.options.theme = themeOf();
  };
  scheme.addEventListener('change', repaint);
  void drawOutput(page, terminal, id, abort.signal);
  return {
    focus: () => terminal.focus(),
    dispose: () => {
      abort.abort();
      observer.disconnect();
      scheme.removeEventListener('change', repaint);
      terminal.dispose();
    },
  };
}

async function drawOutput(page: Page, terminal: Terminal, id: string, signal: AbortSignal): Promise<void> {
  let from = 0;
  while (!signal.aborted) {
    try {
      const { start, text } = await page.link.request('terminal.read', { id, from }, signal);
      if (text === '') return;
      if (start > from) terminal.reset();
      from = start + text.length;
      await new Promise<void>((drawn) => terminal.write(text, drawn));
    } catch (thrown) {
      if (failureOf(thrown)?.code !== 'link/lost') return;
      await online(page, signal);
    }
  }
}

/** Resolves when the page is connected again. */
function online(page: Page, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = page.link.state.subscribe(({ kind }) => {
      if (kind === 'online' || signal.aborted) queueMicrotask(finish);
    });
    const finish = (): void => {
      end();
      resolve();
    };
    signal.addEventListener('abort', finish, { once: true });
  });
}

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The colours of programs, from those of the page. */
function themeOf(): ITheme {
  const colours = {
    black: '--text',
    red: '--break',
    green: '--clean',
    yellow: '--caution',
    blue: '--syn-function',
    magenta: '--syn-keyword',
    cyan: '--syn-type',
    white: '--text-muted',
  } as const;
  const plain = Object.entries(colours).map(([name, variable]) => [name, token(variable)]);
  const bright = Object.entries(colours).map(([name, variable]) => [
    `bright${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    token(variable),
  ]);
  return {
    ...Object.fromEntries([...plain, ...bright]),
    background: token('--bg-editor'),
    foreground: token('--text'),
    cursor: token('--text'),
    cursorAccent: token('--bg-editor'),
    selectionBackground: token('--bg-selected'),
  };
}

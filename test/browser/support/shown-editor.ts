/**
 * The editor in a real browser: a workspace, its back end, and pages that show it.
 *
 * Invariant: a page that logs an error or throws fails the test that opened it. Disposing closes the pages and the back end.
 */
import type { BrowserContext, Locator, Page, WebSocketRoute } from 'playwright-core';
import { expect, test } from 'vitest';
import { EditorWorld, type EditorWorldOptions } from '../../support/editor-world.ts';
import { builtPage } from '../../support/page-build.ts';
import { startedBrowser } from './chromium.ts';
import { chromiumProgram } from './chromium-program.ts';

export interface ShownEditorOptions extends EditorWorldOptions {
  readonly size?: { readonly width: number; readonly height: number };
  readonly theme?: 'light' | 'dark';
}

/** A test that needs a browser; where there is none it is skipped by name. */
export const browserTest: typeof test = test.skipIf(chromiumProgram === undefined) as typeof test;

export class ShownEditor implements AsyncDisposable {
  readonly world: EditorWorld;
  readonly #context: BrowserContext;
  readonly #errors: string[] = [];
  readonly #strangers: BrowserContext[] = [];
  /** Whether the back end is closed with it. */
  readonly #owns: 'world' | 'browser';

  private constructor(world: EditorWorld, context: BrowserContext, owns: 'world' | 'browser') {
    this.world = world;
    this.#context = context;
    this.#owns = owns;
  }

  static async open(options: ShownEditorOptions = {}): Promise<ShownEditor> {
    return ShownEditor.#show(await ShownEditor.openWorld(options), options, 'world');
  }

  /** A back end that outlives the browsers which show it. */
  static async openWorld({ size: _, theme: __, ...rest }: ShownEditorOptions): Promise<EditorWorld> {
    const webDirectory = await builtPage();
    return EditorWorld.open({ definitions: 'detect', trust: 'trusted', webDirectory, ...rest });
  }

  /** Shows a back end in a browser of its own. */
  static show(world: EditorWorld, options: ShownEditorOptions): Promise<ShownEditor> {
    return ShownEditor.#show(world, options, 'browser');
  }

  static async #show(
    world: EditorWorld,
    { size = { width: 1280, height: 800 }, theme = 'light' }: ShownEditorOptions,
    owns: 'world' | 'browser',
  ): Promise<ShownEditor> {
    const browser = await startedBrowser();
    const context = await browser.newContext({
      viewport: { ...size },
      colorScheme: theme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    return new ShownEditor(world, context, owns);
  }

  /** A page that is connected and drawn. */
  async page(): Promise<EditorTab> {
    const page = await this.#context.newPage();
    page.setDefaultTimeout(60_000);
    page.on('pageerror', (error) => this.#errors.push(String(error)));
    page.on('console', (message) => {
      // The browser itself reports sockets that cannot be opened; tests end back ends on purpose.
      if (
        message.type() === 'error' &&
        !/WebSocket|Failed to load resource|ERR_CONNECTION/.test(message.text())
      ) {
        this.#errors.push(message.text());
      }
    });
    const tab = new EditorTab(page);
    await tab.watchLink();
    await page.goto(this.world.server.url);
    await tab.connected();
    return tab;
  }

  /** A further tab of the same browser, at the address without the secret. */
  async bareTab(): Promise<EditorTab> {
    const page = await this.#context.newPage();
    await page.goto(this.world.server.origin);
    return new EditorTab(page);
  }

  /** An empty page of a browser that never entered. */
  async strangePage(): Promise<EditorTab> {
    const context = await this.#context.browser()?.newContext();
    if (context === undefined) throw new Error('the browser has ended');
    this.#strangers.push(context);
    return new EditorTab(await context.newPage());
  }

  /** What pages complained of so far. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const context of [this.#context, ...this.#strangers]) await context.close();
    if (this.#owns === 'world') await this.world[Symbol.asyncDispose]();
    expect(this.#errors).toEqual([]);
  }
}

/** One tab of the browser with the editor in it. */
export class EditorTab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  #links: WebSocketRoute[] = [];
  /** What the back end said since the link was paused; undefined: it is not. */
  #paused: (() => void)[] | undefined;
  #isUnplugged = false;

  /** So that tests can cut and pause the link, as a sleeping machine or a slow network does. */
  async watchLink(): Promise<void> {
    await this.page.route(/\/link\//, (route) => (this.#isUnplugged ? route.abort() : route.fallback()));
    await this.page.routeWebSocket(/\/link\//, (socket) => {
      if (this.#isUnplugged) return void socket.close();
      const server = socket.connectToServer();
      server.onMessage((message) => {
        const deliver = (): void => socket.send(message);
        if (this.#paused) this.#paused.push(deliver);
        else deliver();
      });
      // Each side is closed by itself.
      this.#links.push(socket, server);
    });
  }

  /** The page hears nothing of the back end until the link is resumed. */
  pauseLink(): void {
    this.#paused ??= [];
  }

  resumeLink(): void {
    for (const deliver of this.#paused ?? []) deliver();
    this.#paused = undefined;
  }

  async cutLink(): Promise<void> {
    for (const link of this.#links.splice(0)) await link.close();
  }

  /** The page is cut off, and cannot connect again until it is plugged in. Both ends know at once. */
  async unplug(): Promise<void> {
    this.#isUnplugged = true;
    await this.cutLink();
  }

  async plugIn(): Promise<void> {
    this.#isUnplugged = false;
    await this.tryNow();
  }

  /** The browser says that the network is back. */
  async tryNow(): Promise<void> {
    await this.page.evaluate(() => dispatchEvent(new Event('online')));
  }

  async connected(): Promise<void> {
    await this.page.locator('.app[data-link=online][data-ready=true]').waitFor();
  }

  /** The text area of a file that is shown. */
  editor(path: string): Locator {
    return this.page.locator(`[data-file="${path}"] .cm-content`).first();
  }

  /** Opens a file by quick open, as a person does. */
  async open(path: string): Promise<Locator> {
    await this.page.keyboard.press('Control+p');
    const field = this.page.getByRole('combobox', { name: 'Go to' });
    await field.fill(path);
    await this.page.locator(`#palette-list[data-for="${path}"] li`).first().waitFor();
    await field.press('Enter');
    const editor = this.editor(path);
    await editor.waitFor();
    return editor;
  }

  /** A message, with the pointer on it: it stays until the pointer goes elsewhere. */
  async toast(words: string): Promise<Locator> {
    const toast = this.page.locator('.toast', { hasText: words });
    await toast.hover();
    return toast;
  }

  /** Runs a command by its title in the palette. */
  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    const field = this.page.getByRole('combobox', { name: 'Commands' });
    await field.fill(`>${title}`);
    await this.page.locator(`#palette-list[data-for=">${title}"] li`).first().waitFor();
    await field.press('Enter');
  }

  /** The whole text of an editor, whatever part of it is drawn. */
  text(path: string): Promise<string> {
    return this.editor(path).evaluate((content) => {
      const view = Reflect.get(content, 'cmTile')?.view ?? Reflect.get(content, 'cmView')?.view;
      return String(view.state.doc);
    });
  }

  /** Nothing that the page puts off while `act` runs happens, as if all that follows were faster. */
  async withoutTimers(act: () => Promise<void>): Promise<void> {
    await this.page.evaluate(() => {
      Reflect.set(globalThis, 'realSetTimeout', globalThis.setTimeout);
      Reflect.set(globalThis, 'setTimeout', () => 0);
    });
    await act();
    await this.page.evaluate(() =>
      Reflect.set(globalThis, 'setTimeout', Reflect.get(globalThis, 'realSetTimeout')),
    );
  }

  /** Puts the caret before or behind a piece of text. */
  async caret(path: string, where: { readonly before: string } | { readonly after: string }): Promise<void> {
    await this.editor(path).evaluate((content, at) => {
      const view = Reflect.get(content, 'cmTile')?.view ?? Reflect.get(content, 'cmView')?.view;
      const piece = 'before' in at ? at.before : at.after;
      const found = String(view.state.doc).indexOf(piece);
      if (found < 0) throw new Error(`no ${piece}`);
      const anchor = 'before' in at ? found : found + piece.length;
      view.dispatch({ selection: { anchor }, scrollIntoView: true });
      view.focus();
    }, where);
  }

  /**
   * Replaces some characters at a place between 0 and 1 of the text; returns how many marks of servers are left in the text
   * in the same moment.
   */
  change(
    path: string,
    edit: { readonly at: number; readonly drop: number; readonly piece: string },
  ): Promise<number> {
    return this.editor(path).evaluate((content, { at, drop, piece }) => {
      const view = Reflect.get(content, 'cmTile')?.view ?? Reflect.get(content, 'cmView')?.view;
      const from = Math.floor(at * view.state.doc.length);
      const to = Math.min(from + drop, view.state.doc.length);
      view.dispatch({ changes: { from, to, insert: piece }, userEvent: 'input' });
      return content.querySelectorAll('.cm-diagnostic').length;
    }, edit);
  }

  /** The line of the caret, from the caret on. */
  caretText(path: string): Promise<string> {
    return this.editor(path).evaluate((content) => {
      const view = Reflect.get(content, 'cmTile')?.view ?? Reflect.get(content, 'cmView')?.view;
      const { from } = view.state.selection.main;
      return view.state.sliceDoc(from, view.state.doc.lineAt(from).to);
    });
  }

  /** Holds the pointer over the beginning of a piece of text. */
  async hover(path: string, piece: string): Promise<void> {
    const at = await this.editor(path).evaluate((content, wanted) => {
      const view = Reflect.get(content, 'cmTile')?.view ?? Reflect.get(content, 'cmView')?.view;
      const found = String(view.state.doc).indexOf(wanted);
      if (found < 0) throw new Error(`no ${wanted}`);
      const { left, top, bottom } = view.coordsAtPos(found);
      return { x: left + 3, y: (top + bottom) / 2 };
    }, piece);
    // A pointer that does not move starts no hover.
    await this.page.mouse.move(at.x + 1, at.y + 1);
    await this.page.mouse.move(at.x, at.y);
  }

  /** Undoes step by step, as slow typing is more than one, until the text is that. */
  async undoTo(path: string, text: string): Promise<void> {
    await this.editor(path).focus();
    await expect
      .poll(async () => {
        if ((await this.text(path)) !== text) await this.page.keyboard.press('Control+z');
        return await this.text(path);
      })
      .toBe(text);
  }

  /** The lines on which errors are marked, from zero. */
  markedLines(path: string): Promise<readonly number[]> {
    return this.editor(path).evaluate((content) => {
      const view = Reflect.get(content, 'cmTile')?.view ?? Reflect.get(content, 'cmView')?.view;
      const marks = [...content.querySelectorAll('.cm-diagnostic-error')];
      return [...new Set(marks.map((mark) => view.state.doc.lineAt(view.posAtDOM(mark)).number - 1))];
    });
  }

  /** The server has answered for the text that is shown. */
  async checked(path: string): Promise<void> {
    await expect.poll(() => this.editor(path).getAttribute('data-checked'), { timeout: 60_000 }).not.toBe('');
  }

  verdict(): Locator {
    return this.page.locator('.status .verdict');
  }
}

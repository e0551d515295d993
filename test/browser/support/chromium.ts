/**
 * The one browser of a test process: Debian's Chromium, started when the first test needs it.
 *
 * Invariant: it ends with the process that started it.
 */
import { type Browser, chromium } from 'playwright-core';
import { chromiumProgram } from './chromium-program.ts';

let started: Promise<Browser> | undefined;

export function startedBrowser(): Promise<Browser> {
  if (chromiumProgram === undefined) throw new Error('Chromium is not installed: run scripts/provision');
  started ??= chromium.launch({
    executablePath: chromiumProgram,
    // Root cannot use Chromium's sandbox, and nothing is loaded but our own page.
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
  });
  return started;
}

/**
 * The one browser of a test process: Debian's Chromium, started when the first test needs it.
 *
 * Invariant: it ends with the process that started it.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Undefined where no Chromium is installed; `scripts/provision` installs it where it can. */
export const chromiumProgram: string | undefined =
  process.env.FORERUN_CHROMIUM ?? programs.find((program) => existsSync(program));

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

/**
 * Which browser the tests use: Chromium's headless shell where it is installed, which is the same engine without the
 * windows, the tabs and their own pages; to show a page takes it two fifths of the processor time. Else a whole Chromium.
 */
import { existsSync } from 'node:fs';

const programs = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Undefined where no Chromium is installed; `scripts/provision` installs it where it can. */
export const chromiumProgram: string | undefined = findChromium();

/** Looks anew: what is installed by this process is found only by a call after that. */
export function findChromium(): string | undefined {
  return process.env.FORERUN_CHROMIUM ?? programs.find((program) => existsSync(program));
}

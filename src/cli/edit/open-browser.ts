/**
 * Opens the editor in the browser of the user.
 *
 * Invariant: the secret of the address is in no argument of a process, which every user of the machine can read: the
 * browser is given a file that only this user can read, and that leads to the address.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runCommand } from '../../process/run-command.ts';

/** Does nothing where there is no screen; a browser that cannot be started is no failure, since the address is printed. */
export async function openBrowser(
  {
    url,
    directory,
    env,
  }: { readonly url: string; readonly directory: string; readonly env: NodeJS.ProcessEnv },
  signal: AbortSignal,
): Promise<void> {
  const opener = openerOf(process.platform, env);
  if (!opener) return;
  const file = join(directory, 'editor.html');
  const page = `<!doctype html><meta charset="utf-8"><title>Forerun</title><meta http-equiv="refresh" content="0; url=${url}">`;
  await writeFile(file, page, { mode: 0o600 });
  const command = [...opener, pathToFileURL(file).href];
  const options = { command, cwd: directory, env, timeoutMs: 10_000, maxOutputBytes: 1000 };
  await runCommand(options, signal).catch((thrown: unknown) => {
    if (signal.aborted) throw thrown;
    process.stderr.write('forerun: no browser could be opened; open the address yourself\n');
  });
}

function openerOf(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly string[] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['explorer.exe'];
  const hasScreen = env.DISPLAY !== undefined || env.WAYLAND_DISPLAY !== undefined;
  return hasScreen ? ['xdg-open'] : undefined;
}

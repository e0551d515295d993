/**
 * Previews an edit of a file before the client asks for one, so that its first call is fast: V8 has compiled the code,
 * and the server has analysed the file.
 *
 * Invariant: nothing is started, written or recorded. Only servers that run already are asked, through a connection of
 * its own that ends with it.
 */
import { setFlagsFromString } from 'node:v8';
import { silentLog } from '../base/log.ts';
import { Connection } from '../host/connection.ts';
import type { Forerun } from '../host/forerun.ts';
import { Lazy } from '../host/lazy.ts';
import { version } from '../host/version.ts';
import { previewEdit } from '../tools/session/preview-edit.ts';
import { ConnectionLogSink } from './log-sink.ts';
import { callAsClient } from './own-client.ts';

export async function warmUp(forerun: Forerun, file: string, signal: AbortSignal): Promise<void> {
  const log = silentLog;
  const skills = async () => [];
  const connection = new Lazy(
    async () => new Connection(forerun, { log, skills, toolset: 'full', sessions: 'memory', audit: 'off' }),
  );
  const logSink = new ConnectionLogSink('emergency', () => {});
  // A blank line and a word take different ways. The first call of each compiles the code, the second lets V8 collect type
  // feedback.
  const calls = ['\n', 'x\n', '\n\n', 'x\n\n'].map((new_text) => ({
    name: previewEdit.name,
    arguments: { file_path: file, ...atStart, new_text },
  }));
  // Each function is compiled at its first call; otherwise V8 interprets most of them for the first dozens of calls.
  setFlagsFromString('--always-sparkplug');
  try {
    await callAsClient({ version, log, logSink, skills, connection }, calls, signal);
  } finally {
    setFlagsFromString('--no-always-sparkplug');
  }
}

const atStart = { start_line: 1, start_column: 1, end_line: 1, end_column: 1 };

/**
 * Whether a call is made where a second thread of control begins, as far as the text around it tells.
 *
 * Invariant: only the call's own line and the few above it are looked at.
 */

/** What starts a thread, a task, a goroutine or a timer in the languages we know. */
const entries = [
  'go func(',
  'go func (',
  'new Thread(',
  'Thread.start(',
  'ExecutorService.',
  'CompletableFuture.',
  'Task.Run(',
  'Task.Factory.',
  'ThreadPool.',
  'pthread_create(',
  'std::thread(',
  'std::async(',
  'thread::spawn(',
  'tokio::spawn(',
  'DispatchQueue.',
  'Task {',
  'Task.detached',
  'threading.Thread(',
  'asyncio.create_task(',
  'asyncio.ensure_future(',
  'new Worker(',
  'setTimeout(',
  'setInterval(',
  'Promise(',
];

const linesAbove = 5;

/** The entry nearest to a call on `line`, counted from 0; undefined where there is none. */
export function concurrencyEntry(lines: readonly string[], line: number): string | undefined {
  for (let at = line; at >= Math.max(0, line - linesAbove); at -= 1) {
    const found = entries.find((entry) => lines[at]?.includes(entry));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether a call is made where a new thread or task starts, judged by the text around it.
 *
 * Invariant: only the call's line and the few lines above it are read.
 */

/** Expressions that start a thread, task, goroutine or timer in the known languages. */
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

/** The nearest such expression to a call on `line` (zero-based); undefined if there is none. */
export function concurrencyEntry(lines: readonly string[], line: number): string | undefined {
  for (let at = line; at >= Math.max(0, line - linesAbove); at -= 1) {
    const found = entries.find((entry) => lines[at]?.includes(entry));
    if (found !== undefined) return found;
  }
  return undefined;
}

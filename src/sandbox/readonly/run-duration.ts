/**
 * The lines that `time` prints about a pipeline.
 *
 * Invariant: only what was measured is printed. The processor time of the commands is not, so its two lines are left
 * out.
 */
export function durationLines(elapsedMs: number, form: 'bash' | 'posix'): string {
  const seconds = elapsedMs / 1000;
  if (form === 'posix') return `real ${seconds.toFixed(2)}\n`;
  const minutes = Math.floor(seconds / 60);
  return `\nreal\t${minutes}m${(seconds - minutes * 60).toFixed(3)}s\n`;
}

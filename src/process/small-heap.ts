/**
 * A heap for a process that waits most of its life.
 *
 * V8 doubles the space for young objects up to 16 MB while the first question is answered, and never gives it back. Kept at its
 * first size, the process is some 13 MB lighter after that question, and collects more often in less time.
 */
import { setFlagsFromString } from 'node:v8';

/** Takes effect only before the heap has grown: call it first. */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

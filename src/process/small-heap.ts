/**
 * Limits the heap of a process that is idle most of the time.
 *
 * V8 grows the young generation up to 16 MB during the first request, and never shrinks it. Kept at its initial size,
 * the process is about 13 MB smaller after that request, and collects more often in less time.
 */
import { setFlagsFromString } from 'node:v8';

/** Takes effect only before the heap has grown: call it first. */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

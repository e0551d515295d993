import { WriteStream } from 'node:tty';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StatusLine } from './status-line.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Collects what is written; `isTTY` decides what the status line takes it for. */
function stream(isTTY: boolean): { readonly written: string[]; readonly stream: NodeJS.WriteStream } {
  const written: string[] = [];
  const fake: NodeJS.WriteStream = Object.create(WriteStream.prototype);
  Object.defineProperty(fake, 'isTTY', { value: isTTY });
  Object.defineProperty(fake, 'write', { value: (text: string) => written.push(text) > 0 });
  return { written, stream: fake };
}

test('in a pipe a quick command prints nothing', () => {
  const { written, stream: pipe } = stream(false);
  using status = new StatusLine(pipe);
  status.show('asking a server');
  vi.advanceTimersByTime(999);
  status.clear();
  vi.advanceTimersByTime(60_000);
  expect(written).toEqual([]);
});

test('in a pipe a slow command prints its latest message after a second, and later ones apart', () => {
  const { written, stream: pipe } = stream(false);
  using status = new StatusLine(pipe);
  status.show('reading');
  status.show('asking a server');
  vi.advanceTimersByTime(1000);
  expect(written).toEqual(['forerun: asking a server …\n']);
  for (let done = 1; done <= 9; done++) {
    status.show(`${done} of 9 judged`);
    vi.advanceTimersByTime(1000);
  }
  expect(written.slice(1)).toEqual(['forerun: 5 of 9 judged …\n']);
});

test('on a terminal it is one line that is gone at the end', () => {
  const { written, stream: terminal } = stream(true);
  const status = new StatusLine(terminal);
  status.show('asking a server');
  status[Symbol.dispose]();
  expect(written).toEqual(['\r\u001b[2Kasking a server …', '\r\u001b[2K']);
});

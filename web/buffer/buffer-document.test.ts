import { setImmediate } from 'node:timers/promises';
import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import { type LinkState, RequestFailed } from '../link/page-link.ts';
import { BufferDocument, type BufferLink, type WireUpdate } from './buffer-document.ts';

const never = new AbortController().signal;

/** A back end with one buffer, which it may have closed. */
class OneBuffer {
  isOpen = false;
  pushes = 0;
  readonly accepted: WireUpdate[] = [];

  readonly link: BufferLink = {
    page: 'page',
    state: signal<LinkState>({ kind: 'online' }),
    // The answer of each method has a type of its own, which a table of answers cannot have.
    request: async (method, params) => this.#answer(method, params) as never,
  };

  #answer(method: string, params: object): object {
    if (method === 'buffer.push') this.pushes += 1;
    if (!this.isOpen) throw new RequestFailed(notOpen);
    if ('updates' in params && Array.isArray(params.updates)) {
      this.accepted.push(...params.updates);
      return { kind: 'accepted' };
    }
    const asked = 'version' in params ? Number(params.version) : 0;
    return { version: this.accepted.length, updates: this.accepted.slice(asked) };
  }
}

const notOpen = { code: 'editor/not-open', message: 'no buffer is open for a.md', remedy: 'Open it.' };

test('a text that the back end has closed is pushed once it is open again, and not until then', async () => {
  const backEnd = new OneBuffer();
  const document = new BufferDocument(backEnd.link, 'a.md', { text: '# A\n', version: 0 });
  document.change({ changes: { from: 0, insert: 'offline ' } });
  await expect(document.flush(never)).rejects.toThrow('no buffer is open for a.md');
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  expect(backEnd.pushes).toBe(1);

  backEnd.isOpen = true;
  document.resume();
  await document.flush(never);
  expect(backEnd.accepted).toHaveLength(1);
  expect(document.isInStep).toBe(true);
  expect(String(document.state.doc)).toBe('offline # A\n');
});

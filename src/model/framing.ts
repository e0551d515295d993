/**
 * Bytes of a response cut into the pieces a reader understands, wherever the network cut them.
 *
 * Invariant: the pieces do not depend on how the bytes were chunked.
 */
import { createParser } from 'eventsource-parser';

export interface Framing {
  /** Takes bytes and answers the pieces they complete. */
  feed(bytes: Uint8Array): readonly string[];
  /** What stands at the end without its terminator. */
  rest(): string;
}

/** Server-sent events: the data of each. */
export function eventFraming(): Framing {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => pieces.push(data),
    // llama.cpp has reported failures in a field of its own, which no other server uses.
    onError: ({ type, field, value }) => {
      if (type === 'unknown-field' && field === 'error') pieces.push(`{"error":${value || '""'}}`);
    },
  });
  return {
    feed(bytes) {
      parser.feed(decoder.decode(bytes, { stream: true }));
      return pieces.splice(0);
    },
    rest() {
      parser.feed('\n\n');
      return pieces.splice(0).join('\n');
    },
  };
}

/** One JSON value a line. */
export function lineFraming(): Framing {
  const decoder = new TextDecoder();
  let rest = '';
  return {
    feed(bytes) {
      const lines = `${rest}${decoder.decode(bytes, { stream: true })}`.split('\n');
      rest = lines.pop() ?? '';
      return lines.filter((line) => line.trim() !== '');
    },
    rest: () => rest.trim(),
  };
}

/**
 * Splits the bytes of a response into pieces, independent of network chunks.
 *
 * Invariant: the pieces do not depend on how the bytes were chunked.
 */
import { createParser } from 'eventsource-parser';

export interface Framing {
  /** Adds bytes and returns the completed pieces. */
  feed(bytes: Uint8Array): readonly string[];
  /** The incomplete piece at the end. */
  rest(): string;
}

/** Server-sent events: the data of each. */
export function eventFraming(): Framing {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => pieces.push(data),
    // llama.cpp reports failures in a field of its own, which no other server uses.
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

/** One JSON value per line. */
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

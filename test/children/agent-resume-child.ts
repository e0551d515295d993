/** Appends to a transcript without end, and says so after each entry; whoever started it ends it. */
import { Transcript } from '../../src/storage/transcript.ts';

const transcript = new Transcript(process.argv[2] ?? '');
for (let n = 0; ; n += 1) {
  await transcript.append({ n, text: 'x'.repeat((n * 997) % 20_000) });
  process.send?.(n);
}

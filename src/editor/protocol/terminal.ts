/**
 * Terminals on the wire: the user's own shell, on a pseudo-terminal that the back end owns.
 *
 * A page reads output by asking for what follows an offset, and waits for it there; so a page that is slow, hidden or away
 * holds nothing up, and one that comes later reads what is kept. Offsets count UTF-16 units from the first output on.
 */
import { z } from 'zod';
import { method, nothing } from './method.ts';

const id = z.string().min(1).max(20);
const size = { columns: z.number().int().min(2).max(1000), rows: z.number().int().min(1).max(500) };

export const terminalState = z.object({
  id,
  /** The name of the shell. */
  title: z.string(),
  ...size,
  /** How the shell ended; absent: it runs. */
  exitCode: z.number().int().optional(),
});
export type TerminalState = z.infer<typeof terminalState>;

export const terminalMethods = {
  'terminal.open': method(z.object(size), z.object({ id })),
  /**
   * Waits until there is output after `from`. `start` is greater than `from` if output between them is no longer kept. An
   * empty text says that the shell has ended and nothing follows.
   */
  'terminal.read': method(
    z.object({ id, from: z.number().int().nonnegative() }),
    z.object({ start: z.number().int(), text: z.string() }),
  ),
  'terminal.write': method(z.object({ id, text: z.string().max(1_000_000) }), nothing),
  'terminal.resize': method(z.object({ id, ...size }), nothing),
  /** Ends the shell and forgets its output. */
  'terminal.close': method(z.object({ id }), nothing),
} as const;

export const terminalEvents = [
  z.object({ kind: z.literal('terminal.changed'), terminals: z.array(terminalState) }),
] as const;

export const terminalSnapshot = z.object({ terminals: z.array(terminalState).optional() });

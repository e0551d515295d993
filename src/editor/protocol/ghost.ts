/** Ghost text on the wire: what may be typed next at the caret, checked before it is shown. */
import { z } from 'zod';
import { method, nothing, path } from './method.ts';

/** Where a ghost comes from. */
export const ghostLayers = ['server', 'model'] as const;
export type GhostLayer = (typeof ghostLayers)[number];

export const ghostState = z.object({
  /** Which layers are on. */
  server: z.boolean(),
  model: z.boolean(),
  /** `none`: no model answers. `paused`: the agent is using it. */
  provider: z.enum(['ready', 'paused', 'none']),
  /** How many were checked, and how many of them held back. */
  checked: z.number().int(),
  held: z.number().int(),
  /** Why the last ones were held back, newest first. */
  reasons: z.array(z.object({ text: z.string(), reason: z.string() })),
});
export type GhostState = z.infer<typeof ghostState>;

export const ghostMethods = {
  /** What may follow at an offset of a buffer; `text` absent: nothing, or nothing that would compile. */
  'ghost.ask': method(
    z.object({
      path,
      version: z.number().int().nonnegative(),
      offset: z.number().int().nonnegative(),
      layer: z.enum(ghostLayers),
    }),
    z.object({ text: z.string().optional(), isHeld: z.boolean() }),
  ),
  'ghost.turn': method(z.object({ layer: z.enum(ghostLayers), choice: z.enum(['on', 'off']) }), nothing),
} as const;

export const ghostEvents = [z.object({ kind: z.literal('ghost.state'), state: ghostState })] as const;

export const ghostSnapshot = z.object({ ghost: ghostState.optional() });

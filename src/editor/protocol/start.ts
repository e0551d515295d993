/** What a page shows before a file is open: where the user worked lately. */
import { z } from 'zod';
import { method, nothing, path } from './method.ts';

export const startMethods = {
  'start.read': method(
    nothing,
    z.object({
      /** Other workspaces, the newest first. */
      workspaces: z.array(z.object({ root: z.string(), name: z.string(), at: z.number() })),
      /** Files of this workspace that were open lately and are still there, the newest first. */
      files: z.array(path),
    }),
  ),
} as const;

/** Trust in the workspace on the wire: whether its own programs may run, and which were not used. */
import { z } from 'zod';
import { method, nothing, path } from './method.ts';

export const trustState = z.object({
  isTrusted: z.boolean(),
  /** Programs of the workspace that were not used because it is not trusted. */
  withheld: z.array(path),
});
export type TrustState = z.infer<typeof trustState>;

export const trustMethods = {
  /** The user trusts this workspace, in every program of Forerun; its servers are started again. */
  'trust.grant': method(nothing, nothing),
} as const;

export const trustEvents = [z.object({ kind: z.literal('trust.changed'), trust: trustState })] as const;

export const trustSnapshot = z.object({ trust: trustState.optional() });

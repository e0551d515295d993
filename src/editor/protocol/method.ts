/**
 * A request the page can make: its name, and the schemas of what it sends and gets.
 *
 * Each feature declares its methods in a file of its own here. The page and the back end both parse with these
 * schemas, so neither trusts the other.
 */
import { z } from 'zod';

export interface Method<Params extends z.ZodType = z.ZodType, Result extends z.ZodType = z.ZodType> {
  readonly params: Params;
  readonly result: Result;
}

export function method<Params extends z.ZodType, Result extends z.ZodType>(
  params: Params,
  result: Result,
): Method<Params, Result> {
  return { params, result };
}

/** What a method answers that has nothing to say. */
export const nothing: z.ZodObject = z.object({});

/** Relative to the root of the workspace, `/`-separated. The back end resolves it and refuses what leads outside. */
export const path: z.ZodString = z.string().min(1).max(4096);

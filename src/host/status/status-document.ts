/** The status of a running process, as sent to `forerun status`. */
import { z } from 'zod';

const servers = z.object({
  name: z.string(),
  workspace: z.string(),
  way: z.string(),
  state: z.enum(['busy', 'idle', 'starting']),
  pid: z.number().optional(),
  /** Absent if the system does not report it, and for a server that runs elsewhere. */
  memory_bytes: z.number().optional(),
  age_ms: z.number().optional(),
});

const sessions = z.object({
  id: z.string(),
  workspace: z.string(),
  language: z.string(),
  state: z.string(),
  edits: z.number(),
  age_ms: z.number(),
});

export const statusDocument = z.object({
  pid: z.number(),
  /** The command that started the process. */
  door: z.string(),
  version: z.string(),
  age_ms: z.number(),
  /** Of the process itself, without its servers. */
  memory_bytes: z.number(),
  servers: z.array(servers),
  sessions: z.array(sessions),
  /** Callers that wait for a server. */
  queue: z.number(),
  server_memory: z.object({ budget_bytes: z.number(), used_bytes: z.number() }),
});

export type StatusDocument = z.infer<typeof statusDocument>;

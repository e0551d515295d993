/**
 * A job as it lies in the queue: which commit of which repository, which change to it, and what is asked about it.
 *
 * Invariants: the id of a job is a hash of everything that its answer follows from, so equal jobs are one job. A job of
 * another protocol, or one that does not match this schema, is never evaluated.
 */
import { z } from 'zod';
import { isObjectId } from '../git/object-id.ts';
import { version } from '../host/version.ts';
import { sha256 } from '../storage/hash.ts';
import { MalformedJob, ProtocolMismatch } from './queue-failure.ts';

/** Grows with every change to what is stored in the queue. Callers and workers of different numbers never meet. */
export const protocol = 1;

/** Who waits for the answer; the first is served first. */
export const priorities = ['person', 'agent', 'batch'] as const;

export type JobPriority = (typeof priorities)[number];

/** A part of the job: its text, or the hash under which the text is stored. */
const partSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('inline'), text: z.string() }),
  z.object({ kind: z.literal('blob'), hash: z.string().regex(/^[0-9a-f]{64}$/) }),
]);

const jobSchema = z.object({
  protocol: z.literal(protocol),
  version: z.string(),
  repository: z.object({
    identity: z.string().min(1),
    remote: z.string().min(1),
    commit: z.string().refine(isObjectId, 'a full commit id'),
    /** The workspace in it; empty for its top. */
    directory: z.string().refine(isInside, 'a directory in the repository'),
  }),
  layers: z.array(partSchema).min(1),
  /** UnsentSources of the caller. */
  unsent: partSchema,
  /** An EncodedRequest without overlay and workspace, read by its own schema. */
  request: z.record(z.string(), z.unknown()),
  /** How long the caller waits, from the time at which a worker starts. */
  deadlineMs: z.number().positive(),
  caller: z.string().min(1),
  priority: z.enum(priorities),
});

export type Job = z.infer<typeof jobSchema>;
export type JobRepository = Job['repository'];
export type JobPart = z.infer<typeof partSchema>;

/** The job of its sealed and opened text. */
export function parseJob(text: string): Job {
  const raw = parsedJson(text);
  const number = z.object({ protocol: z.unknown() }).safeParse(raw).data?.protocol;
  if (number !== protocol) throw new ProtocolMismatch(number, protocol);
  const { data, error } = jobSchema.safeParse(raw);
  if (error) throw new MalformedJob(`not a job: ${z.prettifyError(error)}`);
  return data;
}

export type JobContent = Omit<Job, 'protocol' | 'version' | 'caller' | 'priority' | 'deadlineMs'>;

/** Who asks, how urgently and for how long is no part of it: they all get the same answer. */
export function jobIdOf({ repository, layers, unsent, request }: JobContent): string {
  const { remote: _, ...place } = repository;
  const { caller: __, ...asked } = request;
  const hashes = [...layers, unsent].map((part) => (part.kind === 'blob' ? part.hash : sha256(part.text)));
  return `j${sha256(JSON.stringify([protocol, version, place, hashes, sortedEntries(asked)]))}`;
}

function sortedEntries(record: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(record)
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function isInside(directory: string): boolean {
  return (
    directory === '' || directory.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MalformedJob('not a job: it is not JSON', { cause });
  }
}

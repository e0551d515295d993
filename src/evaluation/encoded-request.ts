/**
 * An EvaluationRequest as plain data, for another process.
 *
 * Invariant: decoding an encoded request gives a request for the same overlay that names the contents it depends on,
 * so it is refused where the files differ. A value that does not match this schema is never evaluated.
 */
import { z } from 'zod';
import { Failure } from '../base/failure.ts';
import {
  decodeOverlay,
  encodedOverlaySchema,
  encodeOverlay,
  hashedPathSchema,
  hashesAtBottom,
} from '../overlay/encoded-overlay.ts';
import { languageId } from '../servers/language.ts';
import { Baseline } from '../workspace/baseline.ts';
import type { FileSource } from '../workspace/file-source.ts';
import type { EvaluationRequest } from './evaluator.ts';

const language = z.string().transform(languageId);

const encodedRequestSchema = z.object({
  version: z.literal(1),
  workspace: z.object({ root: z.string() }),
  restsOn: z.array(hashedPathSchema),
  overlay: encodedOverlaySchema,
  against: z.enum(['disk', 'beneath']).optional(),
  languages: z.array(language).readonly().optional(),
  mainLanguage: language.optional(),
  scope: z.enum(['file', 'workspace']),
  timeoutMs: z.number().nonnegative(),
  serverStart: z.enum(['within-timeout', 'unlimited']).optional(),
  caller: z.string(),
});

export type EncodedRequest = z.infer<typeof encodedRequestSchema>;

export class MalformedRequest extends Failure {
  readonly code = 'evaluation/malformed-request';
  readonly remedy = 'Send a request of the same version of the program.';
}

export async function encodeRequest({
  onProgress: _,
  onAnswered: __,
  onPartial: ___,
  workspace: { root },
  overlay,
  restsOn,
  ...plain
}: EvaluationRequest): Promise<EncodedRequest> {
  return {
    ...plain,
    version: 1,
    workspace: { root },
    overlay: await encodeOverlay(overlay),
    restsOn: [...(restsOn ?? (await hashesAtBottom(overlay)))],
  };
}

/** The request over `disk`, of which each file is read once. */
export function decodeRequest(raw: unknown, disk: FileSource): EvaluationRequest {
  const { data, error } = encodedRequestSchema.safeParse(raw);
  if (error) throw new MalformedRequest(`not an evaluation request: ${z.prettifyError(error)}`);
  const { version: _, overlay, ...plain } = data;
  return { ...plain, overlay: decodeOverlay(overlay, new Baseline(disk)) };
}

/** The TypeScript compiler as a binary: its Node launcher takes as long as a small program does to compile. */
import { resolveEmbedded } from '../../../src/servers/embedded-server.ts';

export function nativeCompiler(): string {
  const [binary] = resolveEmbedded('typescript');
  if (binary === undefined) throw new Error('there is no TypeScript compiler');
  return binary;
}

/**
 * The secret a client must present.
 *
 * Invariant: the secret is kept as a digest only, so no log, error or inspection of this object can show it, and the
 * time a comparison takes says nothing about how much of a guess was right.
 */
import { createHash, timingSafeEqual } from 'node:crypto';

export class BearerToken {
  readonly #digest: Buffer;

  constructor(secret: string) {
    this.#digest = digestOf(secret);
  }

  /** Whether an `Authorization` header presents the secret. */
  admits(authorization: string | undefined): boolean {
    return this.isSecret(/^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]);
  }

  /** Whether this is the secret itself, however it was presented. */
  isSecret(presented: string | undefined): boolean {
    // An absent token is compared like any other, so that the answer takes as long.
    return timingSafeEqual(digestOf(presented ?? ''), this.#digest) && presented !== undefined;
  }
}

/** Digests have one length, which is what the comparison needs and all an observer learns. */
function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

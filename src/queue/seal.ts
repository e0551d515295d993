/**
 * Text that only a holder of the shared secret can have made, for one purpose and one job.
 *
 * Invariant: a sealed text opens only under the same secret, purpose and subject, so that the answer to one job is not
 * taken for that to another, and no job for an answer. The secret is in no error and no log.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { QueueSecretMissing } from './queue-failure.ts';

export type SealPurpose = 'job' | 'answer' | 'progress' | 'worker';

export class Seal {
  readonly #key: Buffer;

  constructor(secret: string | undefined) {
    if (secret === undefined || secret.length < 16) throw new QueueSecretMissing();
    this.#key = createHmac('sha256', 'forerun queue').update(secret).digest();
  }

  close(purpose: SealPurpose, subject: string, text: string): string {
    return `${this.#mark(purpose, subject, text).toString('hex')}.${text}`;
  }

  /** The text; undefined if it was not sealed under this secret. */
  open(purpose: SealPurpose, subject: string, sealed: string): string | undefined {
    const at = sealed.indexOf('.');
    const text = sealed.slice(at + 1);
    const found = Buffer.from(sealed.slice(0, Math.max(at, 0)), 'hex');
    const expected = this.#mark(purpose, subject, text);
    return found.length === expected.length && timingSafeEqual(found, expected) ? text : undefined;
  }

  #mark(purpose: SealPurpose, subject: string, text: string): Buffer {
    return createHmac('sha256', this.#key).update(`${purpose}\0${subject}\0${text}`).digest();
  }
}

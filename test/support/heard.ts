/** The notifications that a client received, in order, and a way to wait for the next one of a kind. */
import type { Client } from '@modelcontextprotocol/client';
import { Channel } from '../../src/base/channel.ts';

export interface HeardMessage {
  readonly level: string;
  readonly logger: string;
  /** The channel's JSON text, read. */
  readonly data: Readonly<Record<string, unknown>>;
}

export class Heard {
  readonly messages: HeardMessage[] = [];
  readonly updates: string[] = [];
  readonly #news = new Channel<void>();
  /** How many messages of a channel have been handed out. */
  readonly #taken = new Map<string, number>();

  constructor(client: Client) {
    client.setNotificationHandler('notifications/message', ({ params }) => {
      const { level, logger = '', data } = params;
      this.messages.push({ level, logger, data: typeof data === 'string' ? JSON.parse(data) : {} });
      this.#news.emit();
    });
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      this.updates.push(params.uri);
      this.#news.emit();
    });
  }

  /** The next message of a channel that was not handed out yet. */
  async message(logger: string): Promise<HeardMessage> {
    const taken = this.#taken.get(logger) ?? 0;
    this.#taken.set(logger, taken + 1);
    return this.#when(() => this.#of(logger)[taken]);
  }

  /** All messages of a channel, as soon as one satisfies. */
  async until(
    logger: string,
    satisfies: (message: HeardMessage) => boolean,
  ): Promise<readonly HeardMessage[]> {
    await this.#when(() => this.#of(logger).find(satisfies));
    return this.#of(logger);
  }

  /** Resolves when an update of the resource has been announced. */
  async update(uri: string): Promise<void> {
    await this.#when(() => this.updates.find((updated) => updated === uri));
  }

  #of(logger: string): readonly HeardMessage[] {
    return this.messages.filter((message) => message.logger === logger);
  }

  #when<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const found = look();
      if (found !== undefined) {
        resolve(found);
        return;
      }
      const subscription = this.#news.subscribe(() => {
        const late = look();
        if (late === undefined) return;
        subscription[Symbol.dispose]();
        resolve(late);
      });
    });
  }
}

/** Selects running brokers. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { silentLog } from '../../base/log.ts';
import { type KnownBroker, knownBrokers } from '../../broker/running-brokers.ts';
import { brokerHome, userSettings } from '../../host/user-settings.ts';
import { serverCatalogue } from '../../servers/catalogue.ts';

export interface Selection {
  readonly root?: string | undefined;
  /** A language, or the name of a server. */
  readonly language?: string | undefined;
}

/** The directory of this user's brokers. */
export function brokersHere(): string {
  return brokerHome(userSettings(process.env, silentLog), process.env);
}

/** The brokers that match all given criteria; all of them if none is given. */
export async function selectBrokers({ root, language }: Selection): Promise<readonly KnownBroker[]> {
  const wanted = root === undefined ? undefined : await realRootOf(root);
  return knownBrokers(brokersHere(), process.env).filter(
    ({ record }) =>
      (wanted === undefined || record?.root_dir === wanted) &&
      (language === undefined || (record !== undefined && speaks(record, language))),
  );
}

/** Brokers know directories by their real paths. */
export async function realRootOf(directory: string): Promise<string> {
  const absolute = resolve(directory);
  return realpath(absolute).catch(() => absolute);
}

export function speaks(
  { server, language_id }: { readonly server: string; readonly language_id: string },
  language: string,
): boolean {
  if (server === language || language_id === language) return true;
  const known = serverCatalogue.find(({ name }) => name === server);
  return known?.languages.some((each) => each === language) ?? false;
}

/** `--queue` of the commands that judge changes. */
import { InvalidArgumentError, Option } from 'commander';

export function queueOption(): Option {
  return new Option(
    '--queue [address]',
    'judge on the workers of a queue: redis://host, or rediss://host with TLS (default: FORERUN_QUEUE)',
  ).argParser(addressOf);
}

/** The word after the flag may be meant as something else. */
function addressOf(word: string): string {
  if (/^rediss?:\/\//.test(word)) return word;
  throw new InvalidArgumentError('--queue takes an address such as redis://127.0.0.1:6379.');
}

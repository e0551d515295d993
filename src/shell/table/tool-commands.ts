/**
 * Tools of languages and certificates whose calls are more than a question for their version.
 *
 * Invariant: no accepted call writes a file, loads an engine or a setting, or runs another program.
 */
import { boundary } from '../boundary.ts';
import { allowed, type CommandRule } from '../command/command-rule.ts';
import { optionRule } from '../command/option-rule.ts';

/** Without its performance data, which it would keep in a file while it runs. */
const java: CommandRule = ([first, second]) =>
  first && !second && /^--?version$/.test(first.text)
    ? { ...allowed(), checked: { args: ['-XX:-UsePerfData', first.text] } }
    : boundary('option', first?.at ?? 0, 'java is only asked for its version');

/** It lists or compares without -w; newer versions compare by themselves. */
const gofmt = optionRule({ options: '-lsde -r=', operands: { rest: 'file' } });

const digests = 'md5 sha1 sha224 sha256 sha384 sha512 blake2b512'.split(' ');

/** A digest, or a certificate or key that is shown; engines, outputs and settings are not accepted. */
const openssl: CommandRule = (args) => {
  const [first, ...rest] = args;
  if (first?.text === 'dgst') return digest(rest);
  if (first && digests.includes(first.text)) return digestFiles(rest);
  if (first?.text === 'x509') return certificate(rest);
  return first?.text === 'version'
    ? opensslVersion(rest)
    : boundary('option', first?.at ?? 0, 'this use of openssl is not known to only read');
};

const opensslVersion = optionRule({ options: '-avdbfopr' });
const digestFiles = optionRule({ operands: { rest: 'file' } });

const digest: CommandRule = (args) => {
  const [flag] = args;
  const isDigest = flag && digests.some((name) => flag.text === `-${name}`);
  return digestFiles(isDigest ? args.slice(1) : args);
};

/** Its options are words with one dash. */
const certificate: CommandRule = (args) => {
  const at = args.findIndex(({ text }) => text === '-in');
  const file = args[at + 1];
  const flags = args.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
  const odd = flags.find(
    ({ text }) =>
      !/^-(noout|text|subject|issuer|dates|startdate|enddate|serial|fingerprint|sha256|ext|email|pubkey|purpose)$/.test(
        text,
      ),
  );
  if (odd || (at >= 0 && (!file || file.pattern || file.opaque)))
    return boundary('option', odd?.at ?? 0, 'of a certificate only its content is shown');
  return file && at >= 0 ? allowed([{ path: file.text, at: file.at }]) : allowed();
};

export const toolCommands: ReadonlyMap<string, CommandRule> = new Map([
  ['java', java],
  ['gofmt', gofmt],
  ['openssl', openssl],
]);

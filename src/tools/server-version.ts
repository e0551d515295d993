/**
 * A server's version in a few characters. Some servers report a number, some a sentence, and gopls a whole build
 * report.
 *
 * Invariant: the result is one short line.
 */
const longest = 40;

export function shortVersion(stated: string): string {
  const version = stated.startsWith('{') ? versionInReport(stated) : stated;
  const number = /\d+(\.\d+)+[\w.+-]*/.exec(version)?.[0];
  return (number ?? version.split('\n')[0] ?? '').slice(0, longest);
}

function versionInReport(report: string): string {
  return /"Version":"([^"]+)"\}?$/.exec(report)?.[1] ?? /"Version":"([^"]+)"/.exec(report)?.[1] ?? report;
}

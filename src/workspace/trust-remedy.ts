/** How a user trusts a workspace; the only place for this text. */
export function howToTrust(root: string): string {
  const word = /^[\w@%+=:,./-]+$/.test(root) ? root : `'${root.replaceAll("'", "'\\''")}'`;
  return `If you trust its content, run \`forerun trust ${word}\`, or start Forerun with --trust.`;
}

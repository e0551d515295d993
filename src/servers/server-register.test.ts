import { expect, test } from 'vitest';
import { assumedServer } from './catalogue.ts';
import { languageId } from './language.ts';
import { NoServerForLanguage } from './server-register.ts';

test('the remedy for a missing server ends in one full stop, whether or not its hint has one', () => {
  const server = assumedServer(languageId('go'), ['/nonexistent']);
  const candidates = [server, { ...server, installHint: 'npm i server' }];
  for (const candidate of candidates) {
    expect(new NoServerForLanguage('go', [candidate]).remedy).toMatch(/[^.]\.$/);
  }
  expect(new NoServerForLanguage('go', candidates).remedy).not.toContain('.;');
});

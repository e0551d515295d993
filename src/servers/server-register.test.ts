import { expect, test } from 'vitest';
import { assumedServer } from './catalogue.ts';
import { languageId } from './language.ts';
import { NoServerForLanguage, type RegisterOptions, ServerRegister } from './server-register.ts';

test('the remedy for a missing server ends in one full stop, whether or not its hint has one', () => {
  const server = assumedServer(languageId('go'), ['/nonexistent']);
  const candidates = [server, { ...server, installHint: 'npm i server' }];
  for (const candidate of candidates) {
    expect(new NoServerForLanguage('go', [candidate]).remedy).toMatch(/[^.]\.$/);
  }
  expect(new NoServerForLanguage('go', candidates).remedy).not.toContain('.;');
});

test('a file is read by every server that is the first choice for a language, once each, as the register was given them', () => {
  const [go, rust] = ['go', 'rust'].map((language) => assumedServer(languageId(language), [`/${language}`]));
  if (!go || !rust) throw new Error('no servers');
  const both = { ...go, name: 'both', languages: [languageId('go'), languageId('rust')] };
  const languagesOf = (definitions: RegisterOptions['definitions']) => {
    const register = new ServerRegister({ definitions, env: {} });
    const asked = () => register.languagesThat(() => true, 'a.json');
    const first = asked();
    // The second answer comes from the cache.
    expect(asked()).toEqual(first);
    expect(register.languagesThat(({ name }) => name === 'nobody', 'a.json')).toEqual([]);
    return first;
  };
  expect(languagesOf([go, rust])).toEqual(['go', 'rust']);
  expect(languagesOf([rust, go])).toEqual(['rust', 'go']);
  expect(languagesOf([both, rust])).toEqual(['go']);
  expect(languagesOf([rust, both])).toEqual(['rust', 'go']);
});

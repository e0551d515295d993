import { expect, test } from 'vitest';
import { recognise } from './recognised-command.ts';

test.each([
  ['npm test', 'typescript tests'],
  ['npm run test', 'typescript tests'],
  ['cd web && npm t', 'typescript tests'],
  ['npx tsc --noEmit', 'typescript build'],
  ['./node_modules/.bin/tsc -p .', 'typescript build'],
  ['npm run build:all', 'typescript build'],
  ['CI=1 node --test', 'typescript tests'],
  ['go test ./...', 'go tests'],
  ['go vet ./... && go build', 'go build'],
  ['cargo clippy', 'rust build'],
  ['python -m pytest -q', 'python tests'],
  ['.venv/bin/pytest', 'python tests'],
  ['(cd lib; make -j2)', 'cpp build'],
  ['./gradlew check', 'java tests'],
  ['npx vitest run -t x', 'typescript tests'],
  ['bundle exec rspec', 'ruby tests'],
  ['mix test', 'elixir tests'],
  ['echo tsc', undefined],
  ['tscx', undefined],
  ['cat makefile', undefined],
  ['sed -i s/make/go/ x', undefined],
])('%s is read as %s', (command, expected) => {
  const known = recognise(command);
  expect(known && `${known.language} ${known.kind}`).toBe(expected);
});

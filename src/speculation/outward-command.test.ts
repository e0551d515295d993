import { expect, test } from 'vitest';
import { outwardEffect } from './outward-command.ts';

test.each([
  'git commit -m x',
  'git -C sub push origin main',
  'git add -A && git commit -m "x"',
  'npm test && git push',
  'git branch feature',
  'git tag v1',
  'git stash',
  'npm publish',
  'yarn npm publish',
  'cargo publish',
  'curl https://example.com',
  'FOO=1 curl example.com',
  'gh pr create',
  'docker build .',
  'kubectl apply -f x.yaml',
  'npm install left-pad',
  'pip install requests',
  'sudo systemctl restart x',
  '(cd a; git commit)',
  'echo $(curl x)',
  'pkill node',
])('%s is left to the user', (command) => {
  expect(outwardEffect(command)).toBeDefined();
});

test.each([
  'npm test',
  'npm run build',
  'git status',
  'git diff --stat',
  'git log --oneline -5',
  'git branch',
  'git branch -a',
  'git stash list',
  'git merge-base a b',
  'grep -rn "git commit" src',
  'cat docs/docker.md',
  'sed -i s/a/b/ x',
  'node scripts/curl-like.js',
  'make all',
  'pytest -q tests/test_push.py',
])('%s may be run where nothing is real', (command) => {
  expect(outwardEffect(command)).toBeUndefined();
});

import { expect, test } from 'vitest';
import type { FileQuestion } from './api-session.ts';
import { askInOrder } from './file-questions.ts';

test('declarations are asked about when everything else has been answered', async () => {
  const events: string[] = [];
  const ask = async (question: FileQuestion) => {
    events.push(`ask ${question}`);
    await new Promise((done) => setImmediate(done));
    events.push(`answer ${question}`);
    return [];
  };
  await askInOrder(['getSyntacticDiagnostics', 'getDeclarationDiagnostics', 'getSemanticDiagnostics'], ask);
  expect(events.slice(0, 2).every((event) => event.startsWith('ask'))).toBe(true);
  expect(events.slice(4)).toEqual(['ask getDeclarationDiagnostics', 'answer getDeclarationDiagnostics']);
});

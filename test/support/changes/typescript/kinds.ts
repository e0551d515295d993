/** Every kind of change that is drawn from TypeScript workspaces. */
import type { ChangeKind } from '../change.ts';
import { severalFiles } from '../several-files.ts';
import { bodyKinds } from './body-kinds.ts';
import { configKinds } from './config-kinds.ts';
import { declarationKinds } from './declaration-kinds.ts';
import { fileKinds } from './file-kinds.ts';
import { memberKinds } from './member-kinds.ts';

export const typescriptKinds: readonly ChangeKind[] = [
  ...bodyKinds,
  ...declarationKinds,
  ...memberKinds,
  ...fileKinds,
  ...configKinds,
  { name: 'several-files', draw: severalFiles([...declarationKinds, ...memberKinds, ...fileKinds]) },
];

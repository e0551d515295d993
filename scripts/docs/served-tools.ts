/** Every tool a connection is served, with those that steer the enforcement of skills. */
import { silentLog } from '../../src/base/log.ts';
import { enforcementOf } from '../../src/skills/enforcement.ts';
import { catalogue } from '../../src/tools/catalogue.ts';
import type { Tool } from '../../src/tools/tool.ts';

export const servedTools: readonly Tool[] = [...catalogue, ...enforcementOf(async () => [], silentLog).tools];

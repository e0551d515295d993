/** A shared server judges as one of one's own would, in every language whose server can be shared. */
import { describe, expect, test } from 'vitest';
import { canBeBrokered } from '../../src/broker/eligibility.ts';
import { serversFor } from '../../src/servers/catalogue.ts';
import { languageId } from '../../src/servers/language.ts';
import { BrokerWorld } from '../support/broker-world.ts';
import { languageCases } from '../support/language-case.ts';
import { isOnPath } from '../support/on-path.ts';
import { outline, World } from '../support/world.ts';

const shareable = languageCases.filter(({ language }) =>
  serversFor(languageId(language)).some(canBeBrokered),
);

for (const given of shareable) {
  const isPresent = given.binary === undefined || isOnPath(given.binary);
  describe.skipIf(!isPresent)(`${given.language}${isPresent ? '' : ` (no ${given.binary})`}`, () => {
    test('the verdict on each change is the one a private server gives', async () => {
      await using house = await BrokerWorld.open(given.files, { language: given.language });
      const [shared, own] = [await house.client(), await World.open({}, { root: house.root })];
      await using _ = own;
      for (const { path, ...step } of [given.breaking, given.mend, given.move, given.removeExport]) {
        const verdicts = [shared, own].map(async (world) => {
          const session = await world.session(given.language);
          await world.replace(session, path, step);
          return outline(await world.evaluate(session, 'file'));
        });
        const [atBroker, alone] = await Promise.all(verdicts);
        expect(atBroker).toEqual(alone);
      }
      const replicas = shared.live.servers.pools.flatMap((pool) => pool.replicas);
      expect(replicas.map(({ setup }) => setup.isBrokered)).toContain(true);
    });
  });
}

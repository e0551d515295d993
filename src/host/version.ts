/** The version of this package, as its manifest states it. */
import manifest from '../../package.json' with { type: 'json' };

export const version: string = manifest.version;

/** Seconds by the name of a test file; `npm test` writes them with FORERUN_UPDATE_DURATIONS=1. */
export const durationsFile: URL = new URL('../durations.json', import.meta.url);

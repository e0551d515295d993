/** Names the directory for the temporary files of tests that start processes; without it they lie where those of others do. */
export const scratchVariable = 'FORERUN_TEST_SCRATCH';

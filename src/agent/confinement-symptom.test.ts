import { describe, expect, test } from 'vitest';
import { confinementSymptom } from './confinement-symptom.ts';

describe('a failure that a sandbox may have caused', () => {
  test.each([
    'sh: 1: cannot create /opt/x: Read-only file system',
    "Error: EROFS: read-only file system, open '/usr/x'",
    'curl: (6) Could not resolve host: example.org',
    'getaddrinfo EAI_AGAIN registry.example.org',
    'psycopg2.OperationalError: connection to server at "127.0.0.1", port 5432 failed: Connection refused',
    'dial tcp: lookup db on 127.0.0.53:53: no such host',
    'Error: connect ENETUNREACH 10.0.0.1:443',
    'write error: No space left on device',
    'mount: /mnt: Operation not permitted',
  ])('%s', (output) => {
    expect(confinementSymptom(output)).toBeDefined();
  });
});

describe('a failure of its own', () => {
  test.each([
    'AssertionError: expected 1 to be 2',
    'src/a.ts(1,1): error TS2304: Cannot find name x',
    "error[E0308]: mismatched types\nread the file's system",
    '',
  ])('%j', (output) => {
    expect(confinementSymptom(output)).toBeUndefined();
  });
});

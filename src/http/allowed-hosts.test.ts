import { describe, expect, test } from 'vitest';
import { AllowedHosts, isLoopbackAddress } from './allowed-hosts.ts';

const local = new AllowedHosts('127.0.0.1');
const everywhere = new AllowedHosts('0.0.0.0', ['forerun.internal']);
const lan = new AllowedHosts('192.168.1.7');

describe('the Host of a request', () => {
  test.each<[AllowedHosts, string | undefined, boolean]>([
    [local, '127.0.0.1:8080', true],
    [local, 'LocalHost:8080', true],
    [local, 'localhost', true],
    [local, '[::1]:8080', true],
    [local, 'attacker.example:8080', false],
    [local, 'localhost.attacker.example', false],
    [local, '10.0.0.5:8080', false],
    [local, 'localhost@attacker.example', false],
    [local, 'localhost/x', false],
    [local, '', false],
    [local, undefined, false],
    [everywhere, '10.0.0.5:8080', true],
    [everywhere, '[fd00::5]:8080', true],
    [everywhere, 'forerun.internal:8080', true],
    [everywhere, 'attacker.example', false],
    [lan, '192.168.1.7:8080', true],
    [lan, '192.168.1.8:8080', false],
  ])('%#: %j', (hosts, host, expected) => {
    expect(hosts.admitsHost(host)).toBe(expected);
  });
});

describe('the Origin of a request', () => {
  test.each<[AllowedHosts, string | undefined, string, boolean]>([
    [local, undefined, 'localhost:8080', true],
    [local, 'http://localhost:3000', 'localhost:8080', true],
    [local, 'https://attacker.example', 'localhost:8080', false],
    [local, 'null', 'localhost:8080', false],
    [local, '', 'localhost:8080', false],
    [everywhere, 'http://10.0.0.5:8080', '10.0.0.5:8080', true],
    [everywhere, 'http://10.0.0.6:8080', '10.0.0.5:8080', false],
  ])('%#: %j', (hosts, origin, host, expected) => {
    expect(hosts.admitsOrigin(origin, host)).toBe(expected);
  });
});

test.each<[string, boolean]>([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.7', false],
])('%s is reached from this machine only: %j', (address, expected) => {
  expect(isLoopbackAddress(address)).toBe(expected);
});

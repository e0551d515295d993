import { expect, test } from 'vitest';
import { Log } from '../base/log.ts';
import { ConnectionLogSink } from './log-sink.ts';

test('records go to standard error until a client listens, then to the client alone', () => {
  const lines: string[] = [];
  const received: string[] = [];
  const sink = new ConnectionLogSink('info', (line) => lines.push(line));
  const log = new Log(sink.write);
  log.info('before', { count: 1 });
  sink.attach(({ event }) => received.push(event));
  log.info('during');
  sink.detach();
  log.info('after');
  expect(lines).toEqual(['[info] forerun: before {"count":1}', '[info] forerun: after']);
  expect(received).toEqual(['during']);
});

test('what is below the level is not heard', () => {
  const lines: string[] = [];
  const sink = new ConnectionLogSink('warning', (line) => lines.push(line));
  const log = new Log(sink.write);
  log.info('quiet');
  sink.setLevel('debug');
  log.debug('loud');
  expect(lines).toEqual(['[debug] forerun: loud']);
});

function sinkAt(level: 'info' | 'error') {
  const lines: string[] = [];
  const sink = new ConnectionLogSink(level, (line) => lines.push(line));
  return { sink, log: new Log(sink.write), lines };
}

test('the level of the settings applies from the moment they are read', () => {
  const { sink, log, lines } = sinkAt('info');
  sink.setDefaultLevel('error');
  log.info('server.started', {});
  expect(lines).toEqual([]);
});

test('the level that a client has chosen stays when the settings are read later', () => {
  const { sink, log, lines } = sinkAt('error');
  sink.setLevel('debug');
  sink.setDefaultLevel('emergency');
  log.debug('server.started', {});
  expect(lines).toHaveLength(1);
});

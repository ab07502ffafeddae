import { describe, expect, test } from 'vitest';
import { resolveActiveTrack } from './find-tracks.io.ts';

const FOLDERS = ['cache', 'a.b-c_d', 'net'];
const which = (env: string | null, pinned: string | null, pointer: string | null) =>
  resolveActiveTrack({ env, pinned, pointer }, (track) => FOLDERS.includes(track));

describe('whichTrack() takes the first that names one', () => {
  test.each([
    ['the variable before all', 'cache', 'net', 'net', { track: 'cache', from: 'env' }],
    ['the pinned one before the pointer', '', 'net', 'cache', { track: 'net', from: 'session' }],
    ['the pointer', null, null, 'cache\n', { track: 'cache', from: 'pointer' }],
    [
      'a pointer with a BOM and CRLF',
      null,
      null,
      '\uFEFF a.b-c_d \r\nnote\r\n',
      { track: 'a.b-c_d', from: 'pointer' },
    ],
    ['none where nothing is named', null, null, null, { track: null, fault: null }],
    ['none where the pointer is empty', null, ' \n', '\n\ncache\n', { track: null, fault: null }],
  ])('%s', (_, env, pinned, pointer, found) => {
    expect(which(env, pinned, pointer)).toEqual(found);
  });
});

describe('whichTrack() refuses what it cannot take, and never takes another one for it', () => {
  test.each([
    ['a way out', '../cache', /^PLIMSOLL_TRACK holds "\.\.\/cache", which is no id/],
    ['a path', 'docs/cache', /no id of a track/],
    ['a tag', '</track-context>', /^PLIMSOLL_TRACK holds "\?\/track-context\?"/],
    ['a long text', 'x'.repeat(500), /^PLIMSOLL_TRACK holds "x{40}…"/],
    ['a track without a folder', 'gone', /names the track gone, but there is no folder docs\/tracks\/gone/],
  ])('%s', (_, env, fault) => {
    expect(which(env, 'net', 'cache')).toEqual({ track: null, fault: expect.stringMatching(fault) });
  });
});

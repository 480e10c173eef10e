// The local voice gateway's rules, tested by a client that breaks them one at a time.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { VoiceOpcodes } from 'discord-api-types/voice/v8';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { VoiceServer } from '../../src/local/discord/voice/types.ts';
import { startVoiceServer } from '../../src/local/discord/voice/voice-server.ts';
import { connectToVoiceGateway, type RawVoiceGateway } from '../helpers/raw-gateway.ts';

const WHO = { guildId: '1090000000000000001', channelId: '1090000000000000002', userId: '1090000000000000010', sessionId: 'one' };

let server: VoiceServer;

let warnings: string[] = [];

beforeEach(async () => {
  warnings = [];
  server = await startVoiceServer({ warn: (message) => warnings.push(message) });
});

afterEach(() => server.close());

/** Sends a valid Identify with these changes. */
function identify(gateway: RawVoiceGateway, changes: Record<string, unknown> = {}): void {
  const { token } = server.admit(WHO);
  gateway.send(VoiceOpcodes.Identify, {
    server_id: WHO.guildId,
    user_id: WHO.userId,
    session_id: WHO.sessionId,
    token,
    max_dave_protocol_version: 1,
    ...changes,
  });
}

const select = (mode: string, protocol = 'udp') => ({ protocol, data: { address: '127.0.0.1', port: 9, mode } });

test.each<[string, number, Record<string, unknown>]>([
  ['a wrong token', 4004, { token: 'wrong' }],
  ['a user who was not admitted', 4004, { user_id: '1090000000000000099' }],
  ['another session', 4006, { session_id: 'two' }],
  ['an unknown guild', 4011, { server_id: '1090000000000000098' }],
  ['a client without DAVE', 4017, { max_dave_protocol_version: 0 }],
  ['a client that does not mention DAVE', 4017, { max_dave_protocol_version: undefined }],
  ['a field of the wrong type', 4002, { token: 5 }],
])('Identify with %s is closed with %i', async (_, code, changes) => {
  const gateway = await connectToVoiceGateway(server);
  identify(gateway, changes);
  expect(await gateway.closed).toBe(code);
  expect(warnings).toEqual(code === 4017 ? [expect.stringMatching(/no end-to-end encryption.*@discordjs\/voice.*0\.19/)] : []);
});

test('Hello with the heartbeat interval comes first, and heartbeats are acknowledged', async () => {
  const gateway = await connectToVoiceGateway(server);
  expect(await gateway.next(VoiceOpcodes.Hello)).toEqual({ v: 8, heartbeat_interval: 13_750 });
  gateway.send(VoiceOpcodes.Heartbeat, { t: 1234, seq_ack: -1 });
  expect(await gateway.next(VoiceOpcodes.HeartbeatAck)).toEqual({ t: 1234 });
});

test.each<[string, number, (gateway: RawVoiceGateway) => void]>([
  ['anything before identify', 4003, (gateway) => gateway.send(VoiceOpcodes.Speaking, { speaking: 1, delay: 0, ssrc: 1 })],
  ['a binary message before identify', 4003, (gateway) => gateway.sendBinary(VoiceOpcodes.DaveMlsKeyPackage, Buffer.from('x'))],
  ['invalid JSON', 4002, (gateway) => gateway.socket.send('{')],
  [
    'a resume of an unknown session',
    4006,
    (gateway) => gateway.send(VoiceOpcodes.Resume, { server_id: WHO.guildId, session_id: 'x', token: 'x', seq_ack: 0 }),
  ],
])('%s is closed with %i', async (_, code, send) => {
  const gateway = await connectToVoiceGateway(server);
  send(gateway);
  expect(await gateway.closed).toBe(code);
});

test.each<[string, number, (gateway: RawVoiceGateway) => void]>([
  ['a second identify', 4005, (gateway) => identify(gateway)],
  ['an unknown opcode', 4001, (gateway) => gateway.send(99, {})],
  ['an unknown binary opcode', 4001, (gateway) => gateway.sendBinary(99, Buffer.from('x'))],
  ['another protocol', 4012, (gateway) => gateway.send(VoiceOpcodes.SelectProtocol, select('aead_aes256_gcm_rtpsize', 'webrtc'))],
  ['an unknown encryption mode', 4016, (gateway) => gateway.send(VoiceOpcodes.SelectProtocol, select('xsalsa20_poly1305'))],
])('after READY %s is closed with %i', async (_, code, send) => {
  const gateway = await connectToVoiceGateway(server);
  identify(gateway);
  await gateway.next(VoiceOpcodes.Ready);
  send(gateway);
  expect(await gateway.closed).toBe(code);
});

test.each<[string, number, Uint8Array]>([
  ['an invalid key package', VoiceOpcodes.DaveMlsKeyPackage, Buffer.from('nonsense')],
  ['an invalid commit', VoiceOpcodes.DaveMlsCommitWelcome, Buffer.from('nonsense')],
  ['an empty commit', VoiceOpcodes.DaveMlsCommitWelcome, Buffer.alloc(0)],
])('%s is a bad request, 4020', async (_, op, payload) => {
  const gateway = await connectToVoiceGateway(server);
  identify(gateway);
  await gateway.next(VoiceOpcodes.Ready);
  gateway.send(VoiceOpcodes.SelectProtocol, select('aead_aes256_gcm_rtpsize'));
  await gateway.next(VoiceOpcodes.SessionDescription);
  gateway.sendBinary(op, payload);
  expect(await gateway.closed).toBe(4020);
});

test('refuseWith closes every new connection with its code', async () => {
  server.faults.refuseWith = 4022;
  const gateway = await connectToVoiceGateway(server);
  identify(gateway);
  expect(await gateway.closed).toBe(4022);
});

test('READY carries the address of the UDP socket, which answers IP discovery', async () => {
  const gateway = await connectToVoiceGateway(server);
  identify(gateway);
  const ready = await gateway.next(VoiceOpcodes.Ready);
  expect(ready).toMatchObject({ ip: '127.0.0.1', modes: ['aead_aes256_gcm_rtpsize', 'aead_xchacha20_poly1305_rtpsize'] });
  const socket = createSocket('udp4');
  try {
    const request = Buffer.alloc(74);
    request.writeUInt16BE(1, 0);
    request.writeUInt16BE(70, 2);
    request.writeUInt32BE(ready.ssrc as number, 4);
    socket.send(request, ready.port as number, '127.0.0.1');
    const [response] = (await once(socket, 'message')) as [Buffer];
    expect([response.readUInt16BE(0), response.readUInt16BE(2), response.readUInt32BE(4)]).toEqual([2, 70, ready.ssrc]);
    expect(response.toString('latin1', 8, response.indexOf(0, 8))).toBe('127.0.0.1');
    expect(response.readUInt16BE(72)).toBe(socket.address().port);
  } finally {
    socket.close();
  }
});

test('a resumed session receives what it missed, and nothing twice', async () => {
  const { token } = server.admit(WHO);
  const first = await connectToVoiceGateway(server);
  first.send(VoiceOpcodes.Identify, {
    server_id: WHO.guildId,
    user_id: WHO.userId,
    session_id: WHO.sessionId,
    token,
    max_dave_protocol_version: 1,
  });
  await first.next(VoiceOpcodes.Ready);
  server.listen({ ...WHO, userId: '1090000000000000020' });
  expect(await first.next(VoiceOpcodes.ClientsConnect)).toEqual({ user_ids: ['1090000000000000020'] });
  const sequence = first.sequence();
  first.socket.terminate();
  await first.closed;
  server.listen({ ...WHO, userId: '1090000000000000021' }).leave();

  const second = await connectToVoiceGateway(server);
  second.send(VoiceOpcodes.Resume, { server_id: WHO.guildId, session_id: WHO.sessionId, token, seq_ack: sequence });
  await second.next(VoiceOpcodes.Resumed);
  expect(await second.next(VoiceOpcodes.ClientsConnect)).toEqual({ user_ids: ['1090000000000000021'] });
  expect(await second.next(VoiceOpcodes.ClientDisconnect)).toEqual({ user_id: '1090000000000000021' });
  expect(second.sequence()).toBe(sequence + 2);
});

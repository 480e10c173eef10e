// A voice service that has /v1/tts and nothing else, as self-hosted engines do: everything that speaks works, the rest says plainly
// what is not there, and neither the service nor the log hears of it again and again.

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { examine } from '../../src/doctor.ts';
import { en } from '../../src/locales/index.ts';
import { createLog } from '../../src/log.ts';
import { searchVoices } from '../../src/settings/panel-parts.ts';
import { createVoiceOwners } from '../../src/voice-catalogue/owners.ts';
import { createVoiceTitles } from '../../src/voice-catalogue/titles.ts';
import { makeFolder } from '../helpers/folder.ts';
import { textOf, textsOf } from '../helpers/member.ts';
import { answer, type MisbehavingService, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { tone } from '../helpers/sound.ts';
import { wavOf } from '../helpers/speech.ts';

const beep = Buffer.from(wavOf(tone(382, 0.3, 24_000, 0.24), 24_000));
const speak = answer(200, beep, { 'content-type': 'audio/wav' });
/** As common frameworks do. */
const refuse = answer(404, '<!DOCTYPE html><title>Error</title><pre>Cannot GET</pre>', { 'content-type': 'text/html' });

const startService = () => startMisbehavingService((request, response) => (request.url === '/v1/tts' ? speak : refuse)(request, response));

describe('a service that has speech alone', () => {
  let service: MisbehavingService;
  let parley: Parley;
  const logged: string[] = [];
  const requestCount = (path: string) => service.requests.filter(({ url }) => url.startsWith(path)).length;

  beforeAll(async () => {
    service = await startService();
    parley = await startParley({
      service: { url: service.url, key: 'key' },
      logTo: (line) => logged.push(line),
      timing: { settleMs: 1, pollMs: 1 },
    });
  });
  afterAll(async () => {
    await parley.close();
    await service.close();
  });

  it('speaks in a voice given by its id', async () => {
    const { member } = parley;
    await member.listen();
    const said = await member.run('say', { text: 'Hello there.', voice: 'af_bella' });
    await said.message((message) => textOf(message).includes(openingOf('say.spoken')));
    const spoken = service.requests.findLast(({ url }) => url === '/v1/tts');
    expect(JSON.parse(String(spoken?.body))).toMatchObject({ text: 'Hello there.', reference_id: 'af_bella' });
  });

  it('has no catalogue: /voices says to type an id', async () => {
    const sentence = await (await parley.member.run('voices')).sentence();
    expect(sentence).toContain(en('errors.unsupported.catalogue'));
    expect(sentence).not.toContain('VOICE_API_URL');
  });

  it('is not asked for its catalogue at every keystroke', async () => {
    for (const typed of ['a', 'af', 'af_', 'af_b', 'af_be']) await parley.member.autocomplete('say', 'voice', typed);
    await parley.restartBot();
    for (const typed of ['a', 'af', 'af_', 'af_b', 'af_be']) await parley.member.autocomplete('say', 'voice', typed);
    // The own voices and the first page, which are asked for at the same time.
    expect(requestCount('/model')).toBeLessThanOrEqual(2);
  });

  it('accepts ids of any length, including in /settings', async () => {
    const voiceOwners = createVoiceOwners(parley.store);
    const voiceTitles = createVoiceTitles({ api: parley.api, voiceOwners, log: createLog('silent') });
    onTestFinished(voiceTitles.close);
    const powers = { api: parley.api, voiceTitles, voiceOwners, isOperator: async () => false, signal: new AbortController().signal };
    expect(await searchVoices(powers, 'alloy', { userId: '1', guildId: '2' })).toEqual([{ id: 'alloy', title: null }]);
  });

  it('has no balance: /credit says so to the operator', async () => {
    const reply = await (await parley.member.run('credit')).message((message) => textOf(message) !== '');
    expect(textOf(reply)).toContain(en('errors.unsupported.credit'));
    expect(textOf(reply)).not.toMatch(/VOICE_API_URL|can’t see the balance/);
    expect(requestCount('/wallet')).toBe(1);
  });

  it('does not transcribe: /transcribe says so each time and asks once', async () => {
    for (let count = 0; count < 2; count += 1) {
      const sentence = await (await parley.member.run('transcribe', { audio: parley.member.upload('memo.wav', beep) })).sentence();
      expect(sentence).toContain(en('errors.unsupported.transcription'));
      expect(sentence).not.toContain('VOICE_API_URL');
    }
    expect(requestCount('/v1/asr')).toBe(1);
  });

  it('counts as healthy in /status', async () => {
    const { member } = parley;
    await member.listen();
    let parts: string[] = [];
    const verdict = async () => {
      parts = textsOf(await (await member.run('status')).message((message) => textOf(message) !== ''));
      return parts[0];
    };
    // Not as often as a member may ask.
    await expect.poll(verdict, { interval: 1_500 }).toContain('Everything works');
    const part = parts.find((text) => text.startsWith('**Voice service**'));
    expect(part).toContain(en('status.noCatalogue'));
    expect(part).not.toContain('✗');
    expect(parts.join('\n')).not.toContain('VOICE_API_URL');
  });

  it('gets one log line for each missing operation, never a warning', async () => {
    const lines = logged.map((line) => JSON.parse(line) as { level: number; msg: string });
    expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
    // The bot was started twice.
    expect(lines.filter(({ msg }) => msg.includes('no catalogue'))).toHaveLength(2);
    expect(lines.filter(({ msg }) => msg.includes('no balance'))).toHaveLength(2);
  });
});

it('the self-check notes what the service does not have, and finds nothing bad about it', async () => {
  const service = await startService();
  onTestFinished(() => service.close());
  const env = { DATA_DIR: await makeFolder(), VOICE_API_URL: service.url, VOICE_API_KEY: 'key' };
  const findings = await Array.fromAsync(examine(readConfig(env)));
  expect(findings.filter(({ state }) => state === 'bad')).toEqual([]);
  const textOf = (name: string) => findings.find(({ about }) => about === name)?.text;
  expect(textOf('Voice service')).toContain('no catalogue');
  expect(textOf('Credit')).toContain('no balance');
});

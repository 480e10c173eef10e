// /credit: the balance for whoever pays, a reason for everybody else.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isEphemeral } from './helpers/member.ts';
import { type Parley, startParley } from './helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from './helpers/voice-service.ts';

let service: TestVoiceService;
let parley: Parley;

beforeAll(async () => {
  service = await startTestVoiceService({ credit: '12.3400' });
  parley = await startParley({ service });
});

afterAll(async () => {
  await parley?.close();
  await service?.close();
});

it('shows the balance as the service gives it, to the owner of the application alone', async () => {
  const { credit } = await parley.api.getCredit();
  const asked = await parley.member.run('credit');
  const reply = await asked.message((message) => message.embeds.length > 0);
  expect(isEphemeral(reply)).toBe(true);
  expect(reply.embeds[0]?.title).toBe(credit);
  expect(reply.embeds[0]?.description).toMatch(/Last changed <t:\d+:R>/);
});

it('tells anybody else why not', async () => {
  const asked = await parley.other.run('credit');
  expect(await asked.sentence()).toContain('the money of whoever runs me');
  expect(asked.messages().every(isEphemeral)).toBe(true);
});

it('shows it to those in OPERATOR_IDS', async () => {
  const second = await startParley({ service, operatorsAreOthers: true });
  try {
    const asked = await second.other.run('credit');
    await asked.message((message) => message.embeds.length > 0);
  } finally {
    await second.close();
  }
});

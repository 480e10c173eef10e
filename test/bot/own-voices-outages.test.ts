// Making voices while the voice service fails: members read why, and no voice stays at the service that nobody owns.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createAttachments } from '../../src/discord/attachments.ts';
import { en } from '../../src/locales/index.ts';
import { createLog } from '../../src/log.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createVoiceMaker, type VoiceMaker } from '../../src/voice-catalogue/own-voice-maker.ts';
import { createVoiceOwners, type OwnVoice } from '../../src/voice-catalogue/owners.ts';
import { modelOnWire } from '../helpers/catalogue.ts';
import { textOf } from '../helpers/member.ts';
import {
  answer,
  answerJson,
  answerToFree,
  type Behaviour,
  beforeTheBody,
  type MisbehavingService,
  reset,
  startMisbehavingService,
} from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { ask, becomes, isReady, listPending, readEnd, recording, SECONDS } from './made-voices.ts';

/** How the service behaves, by what it is asked; whatever is missing, it answers like a service without voices. */
let behaviours: Record<string, Behaviour> = {};
/** Requests before this test. */
let before = 0;
let service: MisbehavingService;
let parley: Parley;

/** Ids of models go by the name of `ID`. */
const nameOf = (method = '', url = '') => `${method} ${url.split('?')[0]?.replace(/^\/model\/.+/, '/model/ID')}`;

const asToldByTest: Behaviour = (request, response) => {
  const behave = behaviours[nameOf(request.method, request.url)] ?? answerToFree(request.url) ?? answer(500, '');
  behave(request, response);
};

const start = ({ url }: MisbehavingService) =>
  startParley({ service: { url, key: 'key' }, voiceMakers: 'everyone', retries: { attempts: 1 }, breaker: { failures: 1000 } });

beforeAll(async () => {
  service = await startMisbehavingService(asToldByTest);
  parley = await start(service);
});
afterAll(async () => {
  await parley?.close();
  await service?.close();
});
beforeEach(() => {
  behaviours = {};
  before = service.requests.length;
});
afterEach(async () => {
  for (const prefix of ['own-voice', 'pending-voice:']) await parley.store.deleteAll(prefix);
  await createSettings(parley.store).resetMember(parley.other.client.userId);
});

const calls = (name: string) => service.requests.slice(before).filter(({ method, url }) => nameOf(method, url) === name);

/** The tag that a voice was sent with. */
const tag = () => /parley-[0-9a-f]{16}/.exec(calls('POST /model')[0]?.body.toString('latin1') ?? '')?.[0];

async function make({ other } = parley, file = recording) {
  const question = await ask(other, {}, file);
  await other.click(question, en('ownVoices.create.ownButton'));
  return question;
}

it('says so if the service makes none', async () => {
  behaviours['POST /model'] = answerJson(405, { status: 405, message: 'No such thing.' });
  // It remembers that.
  const own = await start(service);
  onTestFinished(own.close);
  const question = await make(own);
  expect(await readEnd(own.other, question)).toContain(en('errors.unsupported.own-voices'));
  expect(await listPending(own)).toEqual([]);
});

it('keeps nothing of a voice if the service goes down in the middle of the upload', async () => {
  const down = await startMisbehavingService(beforeTheBody((...exchange) => asToldByTest(...exchange)));
  behaviours['POST /model'] = reset;
  const own = await start(down);
  onTestFinished(() => own.close().then(down.close));
  // More than fits into the buffers of a connection.
  const question = await make(own, Buffer.concat([recording, Buffer.alloc(19 * 1024 * 1024)]));
  expect(await readEnd(own.other, question)).toContain(openingOf('errors.unreachable'));
  await expect.poll(() => listPending(own)).toEqual([]);
  expect(await createVoiceOwners(own.store).all()).toEqual([]);
});

it('deletes a voice whose creation was never answered, as soon as the service can', async () => {
  behaviours['POST /model'] = answer(504, 'The service behind this proxy fell silent.');
  behaviours['GET /model'] = (request, response) => {
    const found = request.url?.includes('tag=') ? [modelOnWire('lost', { tags: [tag()] })] : [];
    answerJson(200, { total: found.length, items: found })(request, response);
  };
  behaviours['DELETE /model/ID'] = answer(503, '');
  const question = await make();
  expect(await readEnd(parley.other, question)).toContain('voice service');
  await expect.poll(() => calls('DELETE /model/ID').length).toBeGreaterThan(0);
  await expect.poll(async () => (await listPending(parley)).map(([, note]) => note)).toMatchObject([{ isUnwanted: true, modelId: null }]);
  behaviours['DELETE /model/ID'] = answer(204, '');
  await parley.restartBot();
  await expect.poll(() => listPending(parley)).toEqual([]);
  expect(calls('DELETE /model/ID').every(({ url }) => url === '/model/lost')).toBe(true);
});

it('continues if the service can’t be reached for a moment while it trains, and sends each recording once', async () => {
  const model = (state: string) => modelOnWire('made', { state, tags: [tag()] });
  let asked = 0;
  behaviours['POST /model'] = (...exchange) => answerJson(201, model('created'))(...exchange);
  behaviours['GET /model/ID'] = (...exchange) => {
    asked += 1;
    if (asked === 1) answer(503, '')(...exchange);
    else answerJson(200, model(asked === 2 ? 'training' : 'trained'))(...exchange);
  };
  const question = await make();
  await becomes(parley.other, question, isReady);
  expect(asked).toBe(3);
  const [sent, ...others] = calls('POST /model');
  expect(others).toEqual([]);
  expect(sent?.body.includes(Buffer.from(recording))).toBe(true);
  const fields = sent?.body.toString('latin1') ?? '';
  expect(fields).toContain('name="visibility"\r\n\r\nprivate');
  // Whose voice it is stays here.
  for (const name of [parley.other.client.userId, 'Sam']) expect(fields).not.toContain(name);
});

describe('another process of the bot', () => {
  /** Its making of voices: the same store, and the same service. */
  function another(): VoiceMaker {
    const { store, api } = parley;
    const attachments = createAttachments([]);
    onTestFinished(() => attachments.close());
    return createVoiceMaker({
      ...{ api, attachments, store, settings: createSettings(store), voiceOwners: createVoiceOwners(store) },
      log: createLog('silent'),
      isResponsibleFor: () => true,
      signal: new AbortController().signal,
    });
  }

  /** Asks for a voice, and waits until the recordings have arrived at the service, which then holds its answer back. */
  async function holdCreation(begin = () => make()) {
    const answered = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const model = () => modelOnWire('made', { state: 'trained', tags: [tag()] });
    const models: unknown[] = [];
    behaviours['POST /model'] = async (...exchange) => {
      arrived.resolve();
      await answered.promise;
      models.push(model());
      answerJson(201, model())(...exchange);
    };
    behaviours['GET /model'] = (...exchange) => answerJson(200, { total: models.length, items: models })(...exchange);
    behaviours['GET /model/ID'] = (...exchange) => (models.length > 0 ? answerJson(200, model()) : answer(404, ''))(...exchange);
    behaviours['DELETE /model/ID'] = (...exchange) => {
      models.length = 0;
      answer(204, '')(...exchange);
    };
    const question = await begin();
    await arrived.promise;
    return { question, models, answerNow: answered.resolve };
  }

  it.each(['Cancel', '/privacy'])('ends a voice by %s while its recordings are sent, and nothing comes of it', async (way) => {
    const { question, models, answerNow } = await holdCreation();
    const { userId } = parley.other.client;
    const [[key = '']] = (await listPending(parley)) as [[string, unknown]];
    const its = another();
    if (way === 'Cancel') expect(await its.cancel(key.slice('pending-voice:'.length), userId)).toBe(true);
    else await its.forget(userId);
    expect(JSON.stringify(await listPending(parley))).not.toContain('The reader');
    answerNow();
    expect(await readEnd(parley.other, question)).toContain('Cancelled.');
    await expect.poll(() => listPending(parley)).toEqual([]);
    expect([models, await createVoiceOwners(parley.store).all()]).toEqual([[], []]);
    expect((await createSettings(parley.store).member(userId)).recent).toEqual([]);
  });

  it('ends a voice by /privacy of the member who speaks in it, and nothing comes of it', async () => {
    const { member, other } = parley;
    const { question, models, answerNow } = await holdCreation(async () => {
      const message = await other.sendVoiceMessage('voice-message.wav', recording, SECONDS);
      await member.submitModal(await member.runOnMessage('Make a voice', message.id), { title: 'Sam, as a voice' });
      const asked = await other.sees((one) => textOf(one).includes('Sam, as a voice'));
      await other.click(asked, en('ownVoices.create.agreeButton'));
      return asked;
    });
    await another().forget(other.client.userId);
    answerNow();
    expect(await readEnd(member, question)).toContain('Cancelled.');
    await expect.poll(() => listPending(parley)).toEqual([]);
    expect([models, await createVoiceOwners(parley.store).all()]).toEqual([[], []]);
  });

  it('ends a voice that has just been trained, and nothing of it is left', async () => {
    const { question, models, answerNow } = await holdCreation();
    const { store } = parley;
    const { userId } = parley.other.client;
    const its = another();
    const forgotten = Promise.withResolvers<void>();
    // The moment before it is finished: the voice is the first of the recent ones.
    const { compareAndSet } = store;
    store.compareAndSet = async (name, before, after, options) => {
      const done = await compareAndSet(name, before, after, options);
      if (name === `member:${userId}` && JSON.stringify(after).includes('made')) await its.forget(userId).then(forgotten.resolve);
      return done;
    };
    answerNow();
    await forgotten.promise;
    store.compareAndSet = compareAndSet;
    expect(await readEnd(parley.other, question)).toContain('Cancelled.');
    await expect.poll(() => listPending(parley)).toEqual([]);
    expect([models, await createVoiceOwners(store).all()]).toEqual([[], []]);
    expect((await createSettings(store).member(userId)).recent).toEqual([]);
  });

  it('finishes once what a dead process began, whichever process comes first, and whatever else it can’t read', async () => {
    behaviours['GET /model/ID'] = answerJson(200, modelOnWire('made', { state: 'trained' }));
    const { store, other } = parley;
    const ownerId = other.client.userId;
    const consent = { kind: 'own', memberId: ownerId, at: 1 } as const;
    const note: OwnVoice = { id: 'made', ownerId, title: 'Left', description: '', createdAt: 1, sharedWith: [], consent };
    await createVoiceOwners(store).save(note);
    const begun = {
      ownerId,
      guildId: null,
      title: 'Left',
      sharedWith: [],
      consent,
      startedAt: Date.now(),
      modelId: 'made',
      isUnwanted: false,
    };
    await store.set('pending-voice:parley-1', { tag: 'parley-1', ...begun });
    await store.set('pending-voice:parley-2', { isOfALaterVersion: true });
    await Promise.all([another(), another()].map((its) => its.review()));
    expect((await createSettings(store).member(ownerId)).recent).toEqual([{ id: 'made', title: 'Left' }]);
    expect(await createVoiceOwners(store).find('made')).toEqual(note);
    expect((await listPending(parley)).map(([key]) => key)).toEqual(['pending-voice:parley-2']);
    await another().forget(ownerId);
  });
});

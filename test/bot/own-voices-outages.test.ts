// Making voices while the voice service fails: members read why, and no voice stays at the service that nobody owns.
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createAttachments } from '../../src/discord/attachments.ts';
import { createLog } from '../../src/log.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createVoiceMaker, type VoiceMaker } from '../../src/voices/own-voice-maker.ts';
import { createVoiceOwners, type OwnVoice } from '../../src/voices/owners.ts';
import { modelOnWire } from '../helpers/catalogue.ts';
import { ask, becomes, isReady, listPending, readEnd, recording, SECONDS } from '../helpers/made-voices.ts';
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
import { type Parley, startParley } from '../helpers/parley.ts';

/** How the service behaves, by what it is asked; whatever is missing, it answers like a service without voices. */
let behaviours: Record<string, Behaviour> = {};
beforeEach(() => {
  behaviours = {};
});

/** Ids of models go by the name of `ID`. */
const nameOf = (method = '', url = '') => `${method} ${url.split('?')[0]?.replace(/^\/model\/.+/, '/model/ID')}`;

const asToldByTest: Behaviour = (request, response) => {
  const behave = behaviours[nameOf(request.method, request.url)] ?? answerToFree(request.url) ?? answer(500, '');
  behave(request, response);
};

async function start(service: MisbehavingService): Promise<Parley> {
  const parley = await startParley({ service: { url: service.url, key: 'key' }, voiceMakers: 'everyone', retries: { attempts: 1 } });
  onTestFinished(async () => {
    await parley.close();
    await service.close();
  });
  return parley;
}

const callsOf = ({ requests }: MisbehavingService, name: string) => requests.filter(({ method, url }) => nameOf(method, url) === name);

/** The tag that a voice was sent with. */
const tagIn = (service: MisbehavingService) =>
  /parley-[0-9a-f]{16}/.exec(callsOf(service, 'POST /model')[0]?.body.toString('latin1') ?? '')?.[0];

async function make(parley: Parley, file = recording) {
  const question = await ask(parley.other, {}, file);
  await parley.other.click(question, 'It’s my own voice');
  return question;
}

it('says so if the service makes none', async () => {
  const service = await startMisbehavingService(asToldByTest);
  behaviours['POST /model'] = answerJson(405, { status: 405, message: 'No such thing.' });
  const parley = await start(service);
  const question = await make(parley);
  expect(await readEnd(parley.other, question)).toContain('This voice service can’t make voices.');
  expect(await listPending(parley)).toEqual([]);
});

it('keeps nothing of a voice if the service goes down in the middle of the upload', async () => {
  const service = await startMisbehavingService(beforeTheBody((...exchange) => asToldByTest(...exchange)));
  behaviours['POST /model'] = reset;
  const parley = await start(service);
  // More than fits into the buffers of a connection.
  const question = await make(parley, Buffer.concat([recording, Buffer.alloc(19 * 1024 * 1024)]));
  expect(await readEnd(parley.other, question)).toContain('I can’t reach the voice service');
  await expect.poll(() => listPending(parley)).toEqual([]);
  expect(await createVoiceOwners(parley.store).all()).toEqual([]);
});

it('deletes a voice whose creation was never answered, as soon as the service can', async () => {
  const service = await startMisbehavingService(asToldByTest);
  behaviours['POST /model'] = answer(504, 'The service behind this proxy fell silent.');
  behaviours['GET /model'] = (request, response) => {
    const found = request.url?.includes('tag=') ? [modelOnWire('lost', { tags: [tagIn(service)] })] : [];
    answerJson(200, { total: found.length, items: found })(request, response);
  };
  behaviours['DELETE /model/ID'] = answer(503, '');
  const parley = await start(service);
  const question = await make(parley);
  expect(await readEnd(parley.other, question)).toContain('voice service');
  await expect.poll(() => callsOf(service, 'DELETE /model/ID').length).toBeGreaterThan(0);
  await expect.poll(async () => (await listPending(parley)).map(([, note]) => note)).toMatchObject([{ isUnwanted: true, modelId: null }]);
  behaviours['DELETE /model/ID'] = answer(204, '');
  await parley.restartBot();
  await expect.poll(() => listPending(parley)).toEqual([]);
  expect(callsOf(service, 'DELETE /model/ID').every(({ url }) => url === '/model/lost')).toBe(true);
});

it('continues if the service can’t be reached for a moment while it trains, and sends each recording once', async () => {
  const service = await startMisbehavingService(asToldByTest);
  const model = (state: string) => modelOnWire('made', { state, tags: [tagIn(service)] });
  let asked = 0;
  behaviours['POST /model'] = (...exchange) => answerJson(201, model('created'))(...exchange);
  behaviours['GET /model/ID'] = (...exchange) => {
    asked += 1;
    if (asked === 1) answer(503, '')(...exchange);
    else answerJson(200, model(asked === 2 ? 'training' : 'trained'))(...exchange);
  };
  const parley = await start(service);
  const question = await make(parley);
  await becomes(parley.other, question, isReady);
  expect(asked).toBe(3);
  const [sent, ...others] = callsOf(service, 'POST /model');
  expect(others).toEqual([]);
  expect(sent?.body.includes(Buffer.from(recording))).toBe(true);
  const fields = sent?.body.toString('latin1') ?? '';
  expect(fields).toContain('name="visibility"\r\n\r\nprivate');
  // Whose voice it is stays here.
  for (const name of [parley.other.client.userId, 'Sam']) expect(fields).not.toContain(name);
});

describe('another process of the bot', () => {
  /** Its making of voices: the same store, and the same service. */
  function another({ store, api }: Parley): VoiceMaker {
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
  async function holdCreation(begin = (parley: Parley) => make(parley)) {
    const service = await startMisbehavingService(asToldByTest);
    const answered = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const model = () => modelOnWire('made', { state: 'trained', tags: [tagIn(service)] });
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
    const parley = await start(service);
    const question = await begin(parley);
    await arrived.promise;
    return { parley, question, models, answerNow: answered.resolve };
  }

  it.each(['Cancel', '/privacy'])('ends a voice by %s while its recordings are sent, and nothing comes of it', async (way) => {
    const { parley, question, models, answerNow } = await holdCreation();
    const { userId } = parley.other.client;
    const [[key = '']] = (await listPending(parley)) as [[string, unknown]];
    const its = another(parley);
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
    const { parley, question, models, answerNow } = await holdCreation(async ({ member, other }) => {
      const message = await other.sendVoiceMessage('voice-message.wav', recording, SECONDS);
      await member.submitModal(await member.runOnMessage('Make a voice', message.id), { title: 'Sam, as a voice' });
      const asked = await other.sees((one) => textOf(one).includes('Sam, as a voice'));
      await other.click(asked, 'I agree');
      return asked;
    });
    await another(parley).forget(parley.other.client.userId);
    answerNow();
    expect(await readEnd(parley.member, question)).toContain('Cancelled.');
    await expect.poll(() => listPending(parley)).toEqual([]);
    expect([models, await createVoiceOwners(parley.store).all()]).toEqual([[], []]);
  });

  it('ends a voice that has just been trained, and nothing of it is left', async () => {
    const { parley, question, models, answerNow } = await holdCreation();
    const { store } = parley;
    const { userId } = parley.other.client;
    const its = another(parley);
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
    const service = await startMisbehavingService(asToldByTest);
    behaviours['GET /model/ID'] = answerJson(200, modelOnWire('made', { state: 'trained' }));
    const parley = await start(service);
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
    await Promise.all([another(parley), another(parley)].map((its) => its.review()));
    expect((await createSettings(store).member(ownerId)).recent).toEqual([{ id: 'made', title: 'Left' }]);
    expect(await createVoiceOwners(store).find('made')).toEqual(note);
    expect((await listPending(parley)).map(([key]) => key)).toEqual(['pending-voice:parley-2']);
    await another(parley).forget(ownerId);
  });
});

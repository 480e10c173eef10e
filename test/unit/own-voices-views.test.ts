// The messages and the form of making a voice: Discord takes them in every language, whatever anybody has written.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asEdit } from '../../src/discord/cards.ts';
import { whyTrainingFailed } from '../../src/voice-catalogue/own-voice-maker.ts';
import type { VoiceRequest } from '../../src/voice-catalogue/own-voice-request.ts';
import {
  consentQuestion,
  endMessage,
  interruptedOwnVoice,
  progressMessage,
  readyMessage,
  speakerQuestion,
  stageSentence,
  titleForm,
} from '../../src/voice-catalogue/own-voice-views.ts';
import { anyCharacter, anyTranslator, anyUrl, hostileTexts } from '../helpers/arbitrary-text.ts';
import { expectFormTaken, expectTaken } from '../helpers/discord-limits.ts';

const id = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String);
const key = fc.stringMatching(/^[\w-]{16}$/);
const title = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 100 }), fc.constantFrom(...Object.values(hostileTexts)));
const host = fc.constantFrom(null, 'voices.example.org');
const request: fc.Arbitrary<VoiceRequest> = fc.record({
  title,
  recordings: fc.array(
    fc.record({ name: title, url: anyUrl, size: fc.nat(), contentType: fc.constant(null), duration: fc.constant(null) }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
  language: fc.constant(null),
  isShared: fc.boolean(),
  isOwnVoiceMessage: fc.boolean(),
  speaker: fc.constant(null),
});
const voice = fc.record({
  id: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 120 }),
  ownerId: id,
  title,
  description: title,
  createdAt: fc.nat(),
  sharedWith: fc.array(id, { maxLength: 1 }),
  consent: fc.record({ kind: fc.constantFrom('own' as const, 'permission' as const, 'speaker' as const), memberId: id, at: fc.nat() }),
});
const stage = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }).map((share) => ({ kind: 'sending' as const, share })),
  fc.constantFrom({ kind: 'waiting' as const }, { kind: 'training' as const }),
);

describe('making a voice', () => {
  it('asks in messages and a form that Discord takes', () => {
    fc.assert(
      fc.property(anyTranslator, request, key, host, id, id, fc.boolean(), (t, wanted, name, where, makerId, speakerId, isOfAnother) => {
        expectTaken(consentQuestion(t, wanted, name, where));
        const asked = { makerId, speakerId, messageUrl: 'https://discord.com/channels/1/2/3', title: wanted.title };
        expectTaken(speakerQuestion(t, asked, name, where));
        const form = titleForm(t, name, isOfAnother);
        expectFormTaken(form);
      }),
    );
  });

  it('shows how it goes and how it ended, and corrects what a killed process left behind', () => {
    fc.assert(
      fc.property(anyTranslator, voice, stage, fc.constantFrom(null, 'de', 'pt-BR'), (t, made, at, language) => {
        const progress = progressMessage(t, made.title, stageSentence(t, at), { tag: 'parley-0123456789abcdef', ownerId: made.ownerId });
        expectTaken(progress);
        const ready = readyMessage(t, made, language);
        expectTaken(ready);
        expectTaken(endMessage(made.title, t('ownVoices.create.notMade')));
        const corrected = interruptedOwnVoice(asEdit(progress), t);
        expect(JSON.stringify(corrected)).toContain(JSON.stringify(t('ownVoices.create.interrupted')));
        if (corrected) expectTaken(corrected);
        expect(interruptedOwnVoice(asEdit(ready), t)).toBeNull();
      }),
    );
  });

  it('says why a training failed in one message, whatever the service says', () => {
    fc.assert(
      fc.property(anyTranslator, fc.option(title), (t, stateMessage) => {
        expectTaken(endMessage('A voice', whyTrainingFailed({ stateMessage }).sentence(t)));
      }),
    );
  });
});

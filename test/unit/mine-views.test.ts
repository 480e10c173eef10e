// The messages and the form of /voice mine, for any voices.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { VoiceModel } from '../../src/api/index.ts';
import { en } from '../../src/locales/index.ts';
import { deleteQuestion, editForm, type MineEntry, mineMessage } from '../../src/voice-catalogue/own-voice-views.ts';
import type { OwnVoice } from '../../src/voice-catalogue/owners.ts';
import { anyCharacter, anyTranslator, hostileTexts } from '../helpers/arbitrary-text.ts';
import { expectTaken } from '../helpers/discord-limits.ts';
import { createSchemaCheck } from '../helpers/openapi.ts';

const checkForm = createSchemaCheck('ModalInteractionCallbackRequestData');

const snowflake = fc.bigInt({ min: 10n ** 17n, max: 2n ** 64n - 1n }).map(String);
const words = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 600 }), fc.constant(''), fc.constantFrom(...Object.values(hostileTexts)));
const voice: fc.Arbitrary<OwnVoice> = fc.record({
  id: fc.oneof(fc.uuid(), fc.string({ unit: 'grapheme-composite', maxLength: 100 }), fc.constant('a:b')),
  ownerId: snowflake,
  title: words,
  description: words,
  createdAt: fc.nat(8_640_000_000_000),
  sharedWith: fc.uniqueArray(snowflake, { maxLength: 5 }),
  consent: fc.record({
    kind: fc.constantFrom('own' as const, 'permission' as const, 'speaker' as const),
    memberId: snowflake,
    at: fc.nat(),
  }),
});
const model = fc.record({ type: fc.constantFrom('tts', 'svc'), state: fc.oneof(fc.constantFrom('trained', 'training', 'failed'), words) });
const cover = fc.option(fc.constant({ url: 'https://example.org/a.png', file: null }));
const entry: fc.Arbitrary<MineEntry> = fc.record({
  voice,
  model: fc.oneof(
    model.map((known) => known as VoiceModel),
    fc.constantFrom('gone' as const, null),
  ),
  cover,
});

it('are accepted by Discord and harmless, for any voices in any server', () => {
  fc.assert(
    fc.property(
      anyTranslator,
      fc.uniqueArray(entry, { maxLength: 4, selector: ({ voice: { id } }) => id }),
      fc.option(snowflake),
      fc.boolean(),
      fc.option(words),
      (t, entries, server, isHere, news) => {
        const [first] = entries;
        const guildId = isHere ? (first?.voice.sharedWith[0] ?? server) : server;
        const told = news?.trim() ? t('ownVoices.mine.nowShared', { title: news }) : undefined;
        const list = mineMessage(t, { entries, guildId, chosenId: first?.voice.id ?? null, news: told });
        expectTaken(list);
        if (!first) return;
        expectTaken(deleteQuestion(t, first.voice));
        if (first.voice.id.length <= 80) checkForm(editForm(t, first.voice));
      },
    ),
  );
});

it('offers what can be done with a voice as it is', () => {
  const labels = (known: MineEntry['model'], guildId: string | null, sharedWith: string[]) => {
    const one = { id: 'v', ownerId: '1', title: 'A', description: '', createdAt: 0, sharedWith };
    const entries = [{ voice: { ...one, consent: { kind: 'own' as const, memberId: '1', at: 0 } }, model: known, cover: null }];
    const parts = JSON.stringify(mineMessage(en, { entries, guildId, chosenId: null }).components);
    return [...parts.matchAll(/"label":"([^"]+)"/g)].map(([, label]) => label);
  };
  const trained = { type: 'tts', state: 'trained' } as VoiceModel;
  expect(labels(trained, '7', [])).toEqual([
    en('voices.hear'),
    en('voices.choices.mine.off'),
    en('ownVoices.mine.edit'),
    en('ownVoices.mine.share'),
    en('ownVoices.mine.delete'),
  ]);
  expect(labels(trained, '7', ['7'])).toContain(en('ownVoices.mine.unshare'));
  expect(labels(trained, '8', ['7'])).toContain(en('ownVoices.mine.share'));
  expect(labels(trained, null, ['7'])).toContain(en('ownVoices.mine.unshare'));
  expect(labels(trained, null, [])).toEqual([
    en('voices.hear'),
    en('voices.choices.mine.off'),
    en('ownVoices.mine.edit'),
    en('ownVoices.mine.delete'),
  ]);
  expect(labels('gone', null, [])).toEqual([en('ownVoices.mine.delete')]);
  expect(labels({ type: 'tts', state: 'failed' } as VoiceModel, '7', [])).toEqual([
    en('ownVoices.mine.edit'),
    en('ownVoices.mine.share'),
    en('ownVoices.mine.delete'),
  ]);
});

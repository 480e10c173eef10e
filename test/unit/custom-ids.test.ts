// The custom_ids of everything that members can press. Buttons stay in channels for years, and while two versions run, each may be pressed
// on a message of the other, so none of these may change.
import { describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import { captionsId } from '../../src/captions/panel.ts';
import * as dictionary from '../../src/dictionary/views.ts';
import type { Command } from '../../src/discord/command.ts';
import { type CustomId, customId, on, part } from '../../src/discord/custom-ids.ts';
import { UserError } from '../../src/discord/errors.ts';
import { privacyId } from '../../src/privacy/view.ts';
import { readId } from '../../src/reading/views.ts';
import * as say from '../../src/say/custom-ids.ts';
import { queueId } from '../../src/say/queue-view.ts';
import { editFormId, editId, sayInId } from '../../src/say/refused-text.ts';
import * as forms from '../../src/settings/forms.ts';
import { settingsId } from '../../src/settings/panel-parts.ts';
import * as transcript from '../../src/transcription/message.ts';
import { agreedId, otherLanguageId } from '../../src/transcription/questions.ts';
import { takePartId } from '../../src/transcription/voice-messages/channel-notices.ts';
import * as own from '../../src/voice-catalogue/own-voice-views.ts';
import * as voices from '../../src/voice-catalogue/page.ts';

const row = <V>(id: string, codec: CustomId<V>, values: V) => ({ id, codec: codec as CustomId<unknown>, values });
const ownerId = '300000000000000003';
const page = { page: 2, ownerId };
const plain = { voice: null, speed: null, mood: null };
const loud = { voice: 'a:b', speed: 1.25, mood: 'shouting' } as const;
const place = { scope: 'server', page: 2, typed: 'c:d' };

const ids = [
  row(`say-stop:7:${ownerId}`, say.stopId, { utterance: '7', ownerId }),
  row(`say-stop:7:${ownerId}:-:1.25l:=a:b`, say.stopId, { utterance: '7', ownerId, textKey: '-', options: loud }),
  row(`say-cancel:7:${ownerId}:key::`, say.cancelId, { utterance: '7', ownerId, textKey: 'key', options: plain }),
  row(`say-skip:7:${ownerId}`, say.skipId, { utterance: '7', ownerId }),
  row(`say-again:${ownerId}::`, say.againId, { ownerId, options: plain }),
  row(`say-more:${ownerId}:1.25l:=a:b`, say.sayMoreId, { ownerId, options: loud }),
  row('say-more::', say.sayMoreFormId, { options: plain }),
  row('say-edit:key:1.25l:=a:b', say.earlierEditId, { textKey: 'key', options: loud }),
  row('say-edit-to:p::key::', editId, { output: 'p', channelId: '', textKey: 'key', options: plain }),
  row('say-in:f::1:key:1.25l:=a:b', sayInId, { output: 'f', channelId: '', anyway: true, textKey: 'key', options: loud }),
  row('say-edit-to:s:400:1.25l:=a:b', editFormId, { output: 's', channelId: '400', options: loud }),
  row('say-confirm:s:400:key::', say.confirmId, { output: 's', channelId: '400', textKey: 'key', options: plain }),
  row('say-confirm:f::::', say.confirmId, { output: 'f', channelId: '', textKey: '', options: plain }),
  row('queue:next:3', queueId, { name: 'next', page: 3 }),
  row('queue:remove:1:7', queueId, { name: 'remove', page: 1, utterance: '7' }),
  row('read:start:400:500', readId, { action: 'start', textChannelId: '400', voiceChannelId: '500' }),
  row('read:keep', readId, { action: 'keep' }),
  row('dictionary:next:server:2:c:d', dictionary.listId, { name: 'next', ...place }),
  row('dictionary:other:me:1:', dictionary.listId, { name: 'other', scope: 'me', page: 1, typed: '' }),
  row('dictionary:remove:server:2:c:d', dictionary.removeId, place),
  row('dictionary:hear:a:b', dictionary.hearId, { word: 'a:b' }),
  row('dictionary:undo:me:key', dictionary.undoId, { scope: 'me', key: 'key' }),
  row('dictionary:import:server', dictionary.importId, { scope: 'server' }),
  row(`voices:next:2:${ownerId}`, voices.turnId, { name: 'next', ...page }),
  row(`voices-share:2:${ownerId}`, voices.shareId, page),
  row(`voices-listen:2:${ownerId}`, voices.listenId, page),
  row(`voices-use:2:${ownerId}`, voices.useId, page),
  row(`voices-open:2:${ownerId}`, voices.openId, page),
  row(`voices-choose:favourite:2:${ownerId}`, voices.chooseId, { choice: 'favourite', ...page }),
  row(`voices-hear:0:2:${ownerId}`, voices.hearId, { sample: 0, ...page }),
  row(`voices-sample:2:${ownerId}`, voices.sampleId, page),
  row('voice-title:key', own.titleFormId, { key: 'key' }),
  row('voice-consent:permission:key', own.consentId, { kind: 'permission', key: 'key' }),
  row('voice-withdraw:key', own.withdrawId, { key: 'key' }),
  row('voice-agree:key:1:2', own.agreeId, { key: 'key', makerId: '1', speakerId: '2' }),
  row('voice-refuse:key:1:2', own.refuseId, { key: 'key', makerId: '1', speakerId: '2' }),
  row(`voice-cancel:tag:${ownerId}`, own.cancelMakingId, { tag: 'tag', ownerId }),
  row(`voice-hear:${ownerId}:de:a:b`, own.hearOwnId, { ownerId, language: 'de', voice: 'a:b' }),
  row(`voice-hear:${ownerId}::a:b`, own.hearOwnId, { ownerId, language: '', voice: 'a:b' }),
  row(`voice-use:${ownerId}:a:b`, own.useOwnId, { ownerId, voice: 'a:b' }),
  row('voice-mine:delete-now:a:b', own.mineId, { action: 'delete-now', voice: 'a:b' }),
  row('voice-edit:a:b', own.editFormId, { voice: 'a:b' }),
  row(`transcript:next:2:${ownerId}:1`, transcript.turnId, { name: 'next', page: 2, owner: ownerId, timestamps: true }),
  row('transcript-file:menu:0', transcript.fileId, { name: 'menu', timestamps: false }),
  row(`transcript-again:${ownerId}:1`, transcript.againId, { owner: ownerId, timestamps: true }),
  row(`transcribe-cancel:tag:${ownerId}`, transcript.cancelId, { tag: 'tag', owner: ownerId }),
  row('transcribe-in:1:0:srt', otherLanguageId, { isPrivate: true, timestamps: false, format: 'srt' }),
  row('transcribe-agreed:0:1::pt-BR', agreedId, { isPrivate: false, timestamps: true, format: null, language: 'pt-BR' }),
  row('transcribe-agreed:0:1::', agreedId, { isPrivate: false, timestamps: true, format: null, language: '' }),
  row('voice-messages:on', takePartId, { action: 'on' }),
  row(`voice-messages:out:${ownerId}:2:1`, transcript.stayOutId, { owner: ownerId, speakerId: '2', spoiler: true }),
  row('captions:on', captionsId, { action: 'on' }),
  row('captions:language', captionsId, { action: 'language' }),
  row('captions:delete', transcript.deleteWordsId, {}),
  row(`captions:delete:${ownerId}:8:9`, transcript.deleteWordsId, { owner: ownerId, first: '8', last: '9' }),
  row('privacy:delete-now', privacyId, { action: 'delete-now' }),
  row('settings:section', settingsId, { action: 'section' }),
  row('settings:search:500', settingsId, { action: 'search', name: '500' }),
  row('settings:set:stay:1', settingsId, { action: 'set', name: 'stay', value: '1' }),
  row('settings:reading:always:500', settingsId, { action: 'reading', name: 'always', value: '500' }),
  row('settings:search:server', forms.searchFormId, { target: 'server' }),
  row('settings:cap', forms.capFormId, {}),
  row('settings:budgets', forms.budgetsFormId, {}),
  row('settings:reading', forms.readingFormId, {}),
  row('settings:import', forms.importFormId, {}),
];

it.each(ids)('$id is written and read as the version before does', ({ id, codec, values }) => {
  expect(codec.write(values)).toBe(id);
  expect(codec.read(id)).toEqual(values);
});

it('the list above has every custom_id that is handled', () => {
  const handled = (commands as Command<never>[]).flatMap(({ components = [], modals = [] }) => [...components, ...modals]);
  const listed = new Set(ids.map(({ codec }) => codec.prefix));
  expect([...new Set(handled.map(({ prefix }) => prefix))].filter((prefix) => !listed.has(prefix))).toEqual([]);
});

describe('a custom_id', () => {
  const codec = customId('a:b', { kind: part.oneOf('x', 'y'), count: part.number, rest: part.optional(part.rest) });

  it('is refused if it is too long for Discord', () => {
    const values = { kind: 'x', count: 1, rest: 'r'.repeat(93) } as const;
    expect(codec.write({ ...values, rest: 'r'.repeat(92) })).toHaveLength(100);
    expect(codec.writeIfItFits(values)).toBeNull();
    expect(() => codec.write(values)).toThrow(RangeError);
  });

  it('is not read if it begins differently, even if one word begins like the other', () => {
    expect(codec.read('a:c:x:1')).toBeNull();
    expect(codec.read('a:bc:x:1')).toBeNull();
  });

  it('that no version wrote is refused with a sentence, before its handler runs', async () => {
    const handler = on<{ customId: string }, null, ReturnType<typeof codec.read>>(codec as never, {
      run: () => expect.fail('the handler ran'),
    });
    await expect(handler.run({ customId: 'a:b:z:1' }, null)).rejects.toThrow(UserError);
  });

  it('with less than its parts is read as far as it goes', () => {
    expect(codec.read('a:b:y')).toEqual({ kind: 'y', count: Number.NaN });
  });
});

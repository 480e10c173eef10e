// /say in other languages than English, with espeak-ng installed: which voice speaks, and what is said if the chosen one can't.
import { Locale } from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findEspeak } from '../../src/local/voice-service/engines/index.ts';
import { en, translatorFor } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { detectLanguage } from '../../src/text/language.ts';
import { filesOf, isEphemeral, labelsOf, textOf } from '../helpers/member.ts';
import { startParley } from '../helpers/parley.ts';
import { espeakNg, titled } from '../helpers/requirements.ts';
import { createToneEngines, startTestVoiceService } from '../helpers/voice-service.ts';

const GERMAN = 'Guten Morgen, ich wünsche euch allen einen schönen Tag.';

async function start() {
  // A text doesn't wait for long until its language can be told, which takes a while at first.
  expect(await detectLanguage(GERMAN, 'en')).toBe('de');
  const engines = createToneEngines({ espeak: await findEspeak() });
  onTestFinished(engines.close);
  const service = await startTestVoiceService({ engines });
  onTestFinished(service.close);
  const parley = await startParley({ service });
  onTestFinished(() => parley.close());
  return parley;
}

describe('/say in a script that no voice here reads', () => {
  it('is refused in the member’s language, without a button that would be refused, too', async () => {
    const service = await startTestVoiceService();
    onTestFinished(service.close);
    const parley = await startParley({ service, locale: Locale.SpanishES });
    onTestFinished(() => parley.close());
    const { member } = parley;
    const refusal = async (text: string) => (await member.run('say', { text, send_as: 'file' })).message(isEphemeral);
    const es = translatorFor('es');
    const greek = await refusal('Καλημέρα, τι κάνεις σήμερα;');
    expect(textOf(greek)).toContain(es('say.noVoiceSpeaks', { language: 'griego' }));
    expect(labelsOf(greek)).toEqual([es('say.editButton')]);
    // Neither language nor script is most of it.
    expect(textOf(await refusal('Hello こんにちは'))).toContain(es('say.unreadable'));
  });
});

describe.skipIf(!espeakNg.isMet)(titled('/say with espeak-ng', espeakNg), () => {
  it('speaks a text in a voice of its language if nobody has chosen one, and English as before', async () => {
    const { member } = await start();
    const say = async (text: string) =>
      textOf(await (await member.run('say', { text, send_as: 'file' })).message((message) => filesOf(message).length > 0));
    expect(await say(GERMAN)).toContain('Jonas');
    expect(await say('日本語を話します。')).toContain('ハルト');
    expect(await say('Good morning, I wish all of you a nice day.')).not.toMatch(/Jonas|ハルト/);
  });

  it('offers a voice that speaks the text in place of the chosen one, which it leaves as it is', async () => {
    const { member, store } = await start();
    const refused = await (await member.run('say', { text: GERMAN, voice: 'clara', send_as: 'file' })).message(isEphemeral);
    expect(textOf(refused)).toContain(en('say.otherVoiceSpeaks', { language: 'German' }));
    expect(labelsOf(refused)).toEqual([en('say.otherVoiceButton', { voice: 'Jonas' }), en('say.editButton'), en('say.anywayButton')]);
    const other = await member.click(refused, en('say.otherVoiceButton', { voice: 'Jonas' }));
    expect(textOf(await other.message((message) => filesOf(message).length > 0))).toContain('Jonas');
    const anyway = await member.click(refused, en('say.anywayButton'));
    expect(textOf(await anyway.message((message) => filesOf(message).length > 0))).toContain('Clara');
    expect((await createSettings(store).member(member.client.userId)).voice?.id).not.toBe('espeak-de');
  });
});

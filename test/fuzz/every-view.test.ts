// Every function that builds a message or a form is covered by a property test. The tests here cover those that have none
// elsewhere.
import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noUsage } from '../../src/charging/spending.ts';
import { accountCard, alertSentence, type Budgets, memberCard, rankUsage, serverCard, usageLines } from '../../src/credit/view.ts';
import { asEdit, asPrivate, button, card, cards, menu, notice, row, section, text, thumbnail } from '../../src/discord/cards.ts';
import { budgetsForm, capForm, importForm, readingForm, searchForm } from '../../src/settings/forms.ts';
import { LONGEST_TEXT } from '../../src/store/settings.ts';
import { asPlain } from '../../src/text/untrusted-text.ts';
import { interruptedTranscript, progressMessage } from '../../src/transcription/message.ts';
import { confirmationFor, languageQuestion } from '../../src/transcription/questions.ts';
import { channelNotice } from '../../src/transcription/voice-messages/channel-notices.ts';
import { anyCharacter, anyTranslator, anyUrl, hostileTexts } from '../helpers/arbitrary-text.ts';
import { expectFormTaken, expectTaken, expectWithinLimits } from '../helpers/discord-limits.ts';

/** Maps each file that builds messages or forms to its property test; `null` if it only passes on what others built. */
const VIEWS: Record<string, string | null> = {
  'commands/credit.ts': null,
  'commands/leave.ts': null,
  'commands/read-aloud.ts': 'reading-views',
  'commands/settings.ts': null,
  'commands/stop.ts': null,
  'src/captions/panel.ts': 'captions-views',
  'src/credit/view.ts': 'every-view',
  'src/dictionary/views.ts': 'dictionary-views',
  'src/discord/cards.ts': 'every-view',
  'src/help/view.ts': 'help',
  'src/privacy/view.ts': 'privacy',
  'src/reading/views.ts': 'reading-views',
  'src/say/buttons.ts': 'say-views',
  'src/say/message.ts': 'say-views',
  'src/say/question.ts': 'say-views',
  'src/say/queue-view.ts': 'say-views',
  'src/say/say.ts': null,
  'src/settings/forms.ts': 'every-view',
  'src/settings/panel-parts.ts': null,
  'src/settings/panel.ts': 'settings',
  'src/status/view.ts': 'status',
  'src/transcription/buttons.ts': null,
  'src/transcription/message.ts': 'views',
  'src/transcription/questions.ts': 'every-view',
  'src/transcription/reply.ts': null,
  'src/transcription/voice-messages/channel-notices.ts': 'every-view',
  'src/voice-catalogue/catalogue.ts': null,
  'src/voice-catalogue/detail.ts': 'voices-views',
  'src/voice-catalogue/own-voice-views.ts': 'mine-views',
  'src/voice-catalogue/page.ts': 'voices-views',
  'src/voice-catalogue/samples.ts': null,
};

// Not the list of a command's handlers.
const BUILDS = /\bembeds:|\bcomponents: \[(?!\n\s*(?:\/\/|on\(|\.\.\.))|ComponentType\.|: APIEmbed\b|\bcards?\(/;

it('every file that builds a message or a form has a property test', () => {
  const files = ['commands', 'src'].flatMap((folder) => globSync(`${folder}/**/*.ts`)).filter((file) => !file.startsWith('src/local/'));
  const builders = files.filter((file) => BUILDS.test(readFileSync(file, 'utf8')));
  expect(builders.sort()).toEqual(Object.keys(VIEWS).sort());
  for (const [file, test] of Object.entries(VIEWS)) {
    if (test === null) continue;
    const [path = test] = globSync(`test/*/${test}.test.ts`);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain(`from '../../${file}'`);
    expect(text).toContain('fc.property(');
  }
});

it('untrusted text is escaped in one place, which also handles masked links', () => {
  const files = ['commands', 'src'].flatMap((folder) => globSync(`${folder}/**/*.ts`)).filter((file) => !file.startsWith('src/local/'));
  expect(files.filter((file) => readFileSync(file, 'utf8').includes('escapeMarkdown'))).toEqual([]);
});

const words = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 3000 }),
  fc.constant(''),
  fc.constant('*`_~|'.repeat(500)),
  fc.constantFrom(...Object.values(hostileTexts)),
);
const snowflake = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String);
const number = fc.double({ min: 0, max: 1e300, noNaN: true });

describe('Discord accepts', () => {
  it('cards with any words, to send and to change a message of an earlier version', () => {
    const visible = words.filter((word) => word.trim() !== '');
    const visibleInLabels = words.map((word) => asPlain(word, 100)).filter((word) => word !== '');
    fc.assert(
      fc.property(visible, visibleInLabels, (sentence, label) => {
        const options = [{ label, value: 'one' }];
        const controls = [row(button(label, 'button')), row(menu('menu', label, options)), row(null)];
        const full = cards(card('done', section(thumbnail('https://example.org/a.png', label), label), text(label), ...controls));
        for (const message of [notice(sentence), asEdit(notice(sentence)), full]) expectWithinLimits(message);
      }),
    );
  });

  it('no message that its documentation forbids', () => {
    const part = text('x');
    const twice = row(button('One', 'same'), button('Two', 'same'));
    const refused: Parameters<typeof expectWithinLimits>[0][] = [
      cards(),
      cards(card('done')),
      cards(card('done', text(''))),
      cards(card('done', text('x'.repeat(2001)), text('x'.repeat(2001)))),
      cards(card('done', ...Array.from({ length: 40 }, () => part))),
      cards(card('done', section(button('One', 'one')))),
      cards(card('done', section(button('One', 'one'), 'a', 'b', 'c', 'd'))),
      cards(card('done', twice)),
      cards(card('done', row(...Array.from({ length: 6 }, (_, index) => button('One', `${index}`))))),
      cards(card('done', row(button('One', 'x'.repeat(101))))),
      cards(card('done', row(menu('menu', 'Choose', [])))),
      cards(
        card(
          'done',
          row(
            menu(
              'menu',
              'Choose',
              Array.from({ length: 26 }, (_, index) => ({ label: 'One', value: `${index}` })),
            ),
          ),
        ),
      ),
      cards(card('done', row(menu('menu', 'Choose', [{ label: 'x'.repeat(101), value: 'one' }])))),
      { ...notice('Hi'), content: 'Hi' },
      { ...notice('Hi'), embeds: [{ description: 'Hi' }] },
      { components: [card('done', part)] },
    ];
    for (const message of refused) expect(() => expectWithinLimits(message), JSON.stringify(message)).toThrow();
  });

  it('the forms of /settings, for any settings and limits', () => {
    const most = fc.oneof(fc.nat(Number.MAX_SAFE_INTEGER), fc.constant(Number.POSITIVE_INFINITY));
    const caps = fc.record({ member: most, guild: most });
    const budget = fc.option(fc.nat(999_999_999_999_999));
    const reading = fc.record({ maxDelay: fc.integer({ min: 3, max: 30 }), ignorePrefix: fc.string({ maxLength: 10 }) });
    const settings = fc.record({ guildBudget: budget, memberBudget: budget, guildMinutes: budget, memberMinutes: budget, reading });
    const cap = fc.option(fc.integer({ min: 1, max: LONGEST_TEXT }));
    fc.assert(
      fc.property(
        anyTranslator,
        settings,
        cap,
        fc.record({ speech: caps, transcription: caps }),
        snowflake,
        (t, chosen, lengthCap, budgets, target) => {
          const all = { ...chosen, lengthCap } as Parameters<typeof capForm>[1];
          const forms = [searchForm(t, target), importForm(t), capForm(t, all), budgetsForm(t, all, budgets), readingForm(t, all)];
          for (const form of forms) expectFormTaken(form as Parameters<typeof expectFormTaken>[0]);
        },
      ),
    );
  });

  it('the questions before a transcription, for any recordings', () => {
    const recording = fc.record({
      name: words.filter((name) => name !== ''),
      // Links to Discord are ours.
      url: anyUrl.map((url) => url.replace(/^https?:\/\/[^/]+/, 'https://discord.com/attachments')),
      size: fc.nat(Number.MAX_SAFE_INTEGER),
      duration: fc.option(number),
      contentType: fc.option(fc.string({ maxLength: 100 })),
      source: fc.constantFrom(null, '@me/1/2'),
    });
    const options = fc.record({
      language: fc.option(fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => text.slice(0, 20))),
      timestamps: fc.boolean(),
      format: fc.option(fc.constantFrom('text' as const, 'srt' as const, 'vtt' as const, 'json' as const)),
      isPrivate: fc.boolean(),
    });
    fc.assert(
      fc.property(anyTranslator, fc.array(recording, { minLength: 1, maxLength: 12 }), options, number, (t, recordings, wanted, share) => {
        const context = { credit: { shareOfBalance: () => share }, t };
        const question = confirmationFor(context, recordings, wanted);
        if (question) expectTaken(asPrivate(question));
        const [first] = recordings;
        if (first) expectTaken(asPrivate(languageQuestion(first, wanted.language ?? '', wanted, ['en', 'de'], t)));
      }),
    );
  });

  it('what channels are told about their voice messages', () => {
    const rules = fc.record({ who: fc.constantFrom('asked' as const, 'everyone' as const), files: fc.boolean() });
    fc.assert(fc.property(anyTranslator, rules, (t, chosen) => expectTaken(channelNotice(t, chosen))));
  });

  it('every stage of transcribing any recording', () => {
    fc.assert(
      fc.property(anyTranslator, words, fc.nat(Number.MAX_SAFE_INTEGER), fc.nat(Number.MAX_SAFE_INTEGER), (t, name, done, all) => {
        for (const stage of [
          t('transcription.reading', { done, all }),
          t('transcription.transcribing', { elapsed: done, expected: all }),
          t('transcription.transcribingSince', { at: done }),
          t('transcription.takingLonger', { elapsed: done }),
        ]) {
          const message = progressMessage(name, stage, { tag: '1234567890123456789-0', owner: '1234567890123456789' }, t);
          expectTaken(message);
          const after = interruptedTranscript(message, t);
          if (!after) return expect.fail('it is not recognized');
          expectTaken(after);
          expect(JSON.stringify(after)).not.toContain(stage);
          expect(interruptedTranscript(after, t)).toBeNull();
        }
      }),
    );
  });

  it('any credit and any usage', () => {
    const amounts = { characters: number, seconds: number, bytes: number, billedSeconds: number, times: number };
    const use = fc.record({ name: fc.option(words), ...amounts, isEstimate: fc.boolean() });
    const facts = fc.record({
      share: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      changedAt: fc.option(fc.integer({ min: 0, max: 8.64e15 })),
      isUsedUp: fc.boolean(),
      unbooked: number,
      daysLeft: fc.option(number),
      affordable: fc.record({ speech: fc.option(number), transcription: fc.option(number) }),
    });
    const budget = fc.record({ used: number, cap: fc.oneof(number, fc.constant(Number.POSITIVE_INFINITY)) });
    const record = { id: null, userId: null, createdAt: null, updatedAt: null, hasPhoneSha256: null, hasFreeCredit: true };
    const day = { ...noUsage(), characters: 1, seconds: 1, times: 1, date: '2026-11-22' };
    fc.assert(
      fc.property(
        anyTranslator,
        fc.array(use, { maxLength: 20 }),
        facts,
        words,
        budget,
        fc.option(number),
        (t, uses, known, credit, own, cost) => {
          const byId = new Map(uses.map((one, index) => [index === 0 ? null : `${index}`, one]));
          const names = new Map(uses.flatMap(({ name }, index) => (name === null ? [] : [[`${index}`, name]])));
          const isIn = new Set(
            uses
              .keys()
              .map(String)
              .filter((id) => Number(id) % 3 !== 0),
          );
          const servers = usageLines(
            t,
            rankUsage(byId, isIn, () => cost),
            names,
            () => cost,
          );
          const budgets: Budgets = [
            ['speech', own],
            ['transcription', own],
          ];
          const usage = { ...noUsage(), characters: own.used, seconds: own.used, times: own.used };
          const chart = uses.length > 10 ? { name: 'use.png', days: [day] } : null;
          // As seen by an operator who is also an admin of the server.
          expectTaken(
            cards(
              accountCard(t, { wallet: { ...record, credit }, facts: known }, servers, chart, 30),
              serverCard(t, budgets, usage, chart, 30),
              memberCard(t, budgets, 0),
            ),
          );
          expectTaken({ embeds: [], content: alertSentence(t, { kind: 'used', percent: 50, left: credit }) });
        },
      ),
    );
  });
});

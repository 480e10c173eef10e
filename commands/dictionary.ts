// /dictionary: how words are said, for a whole server or for oneself.
import {
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  GuildMember,
} from 'discord.js';
import { addEntry, importFile, loadList, removedMessage, removeEntry, sendExport, undo } from '../src/dictionary/actions.ts';
import { type DictionaryContext, findSubject, findSubjectToChange } from '../src/dictionary/dictionaries.ts';
import { findEntries, foldWord, MAX_SPOKEN, MAX_WORD } from '../src/dictionary/entry.ts';
import { hearId, importForm, importId, listId, MAX_SEARCH, removeId, undoId } from '../src/dictionary/views.ts';
import { asEdit, asPrivate, limits } from '../src/discord/cards.ts';
import { EVERYWHERE, type SlashCommand } from '../src/discord/command.ts';
import { on } from '../src/discord/custom-ids.ts';
import { UserError } from '../src/discord/errors.ts';
import { type CommandKey, described, named } from '../src/locales/command-texts.ts';
import { COMMON_CODES, findLanguages, languageCode } from '../src/locales/language-names.ts';
import type { SayContext, SayInteraction } from '../src/say/context.ts';
import { sendFile } from '../src/say/file.ts';
import { namesFor } from '../src/say/plan.ts';
import { speak } from '../src/say/say.ts';
import { asPlain } from '../src/text/untrusted-text.ts';

type Context = DictionaryContext & SayContext;
type Option = NonNullable<APIApplicationCommandSubcommandOption['options']>[number];

/** The scopes of src/dictionary/dictionaries.ts. */
const SCOPES = ['server', 'me'] as const;
const MAX_LANGUAGE = 40;

const typed = (name: string, text: CommandKey, max_length: number, more: { required?: true; autocomplete?: true } = {}): Option => ({
  type: ApplicationCommandOptionType.String,
  name,
  ...described(text),
  max_length,
  ...more,
});

const whose = (text: CommandKey): Option => ({
  type: ApplicationCommandOptionType.String,
  name: 'for',
  ...described(text),
  choices: SCOPES.map((value) => ({ ...named(`commands.dictionary.scopes.${value}`), value })),
});

const toChange = whose('commands.dictionary.forChange');
const toShow = whose('commands.dictionary.forShow');

const subcommand = (name: string, text: CommandKey, ...options: Option[]): APIApplicationCommandSubcommandOption => ({
  type: ApplicationCommandOptionType.Subcommand,
  name,
  ...described(text),
  options,
});

export const dictionary = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'dictionary',
    ...described('commands.dictionary.description'),
    ...EVERYWHERE,
    options: [
      subcommand(
        'add',
        'commands.dictionary.add',
        typed('word', 'commands.dictionary.word', MAX_WORD, { required: true }),
        typed('say_as', 'commands.dictionary.sayAs', MAX_SPOKEN, { required: true }),
        typed('language', 'commands.dictionary.language', MAX_LANGUAGE, { autocomplete: true }),
        toChange,
      ),
      subcommand(
        'remove',
        'commands.dictionary.remove',
        typed('word', 'commands.dictionary.wordToRemove', MAX_WORD, { required: true, autocomplete: true }),
        toChange,
      ),
      subcommand('list', 'commands.dictionary.list', typed('search', 'commands.dictionary.search', MAX_SEARCH), toShow),
      subcommand(
        'test',
        'commands.dictionary.test',
        typed('word', 'commands.dictionary.wordToTest', MAX_WORD, { required: true, autocomplete: true }),
      ),
      subcommand('import', 'commands.dictionary.import', toChange),
      subcommand('export', 'commands.dictionary.export', toShow),
    ],
  },

  checksFor({ options }) {
    const subcommand = options.getSubcommand(false);
    if (subcommand === 'test') return { spends: 'speech' };
    return subcommand === 'import' ? { asksForFile: true } : {};
  },

  complete,

  async run(interaction, context) {
    const { options } = interaction;
    const wanted = options.getString('for');
    switch (options.getSubcommand(false)) {
      case 'add':
        return add(interaction, context);
      case 'remove': {
        const subject = await findSubjectToChange(interaction, context, wanted);
        const change = await removeEntry(context, subject, options.getString('word', true));
        await interaction.reply(await removedMessage(interaction, context, subject, change));
        return;
      }
      case 'list': {
        const subject = await findSubject(interaction, context, wanted);
        const typed = asPlain(options.getString('search') ?? '', MAX_SEARCH);
        await interaction.reply(asPrivate(await loadList(interaction, context, subject, { page: 1, typed })));
        return;
      }
      case 'test':
        return test(interaction, context, options.getString('word', true).trim());
      case 'import': {
        const { scope } = await findSubjectToChange(interaction, context, wanted);
        await interaction.showModal(importForm(context.t, scope));
        return;
      }
      case 'export':
        return sendExport(interaction, context, await findSubject(interaction, context, wanted));
      default:
        throw new UserError((t) => t('general.unknownCommand'));
    }
  },

  components: [
    on(listId, {
      async run(interaction, context, { scope, page, typed }) {
        const subject = await findSubject(interaction, context, scope);
        await interaction.update(asEdit(await loadList(interaction, context, subject, { page, typed })));
      },
    }),
    on(removeId, {
      async run(interaction, context, { scope, page, typed }) {
        const subject = await findSubjectToChange(interaction, context, scope);
        const [word = ''] = interaction.isStringSelectMenu() ? interaction.values : [];
        const change = await removeEntry(context, subject, word);
        await interaction.update(asEdit(await loadList(interaction, context, subject, { page, typed })));
        await interaction.followUp(await removedMessage(interaction, context, subject, change));
      },
    }),
    on(hearId, {
      spends: 'speech',
      run: (interaction, context, { word }) => test(interaction, context, word),
    }),
    on(undoId, {
      async run(interaction, context, { scope, key }) {
        const subject = await findSubjectToChange(interaction, context, scope);
        await interaction.update(asEdit(await undo(interaction, context, subject, key)));
      },
    }),
  ],

  modals: [
    on(importId, {
      readsFile: true,
      async run(interaction, context, { scope }) {
        await importFile(interaction, context, await findSubjectToChange(interaction, context, scope));
      },
    }),
  ],
} satisfies SlashCommand<Context>;

async function add(interaction: ChatInputCommandInteraction, context: Context): Promise<void> {
  const { options } = interaction;
  const subject = await findSubjectToChange(interaction, context, options.getString('for'));
  const named = options.getString('language')?.trim() ?? '';
  // A language can also be named rather than given by its code.
  const [meant] = named === '' || languageCode(named) !== null ? [] : findLanguages(COMMON_CODES, named, context.t.locale);
  const entry = { word: options.getString('word', true), spoken: options.getString('say_as', true), language: meant?.code ?? named };
  await addEntry(interaction, context, subject, entry, namesFor(interaction));
}

/** Speaks the word as its entry says, in the member's voice channel or, if there is none, as a file. */
async function test(interaction: SayInteraction, context: Context, text: string): Promise<void> {
  const inGuild = interaction.inCachedGuild();
  const replace = await context.dictionaries.for(inGuild ? interaction.guildId : null, interaction.user.id);
  const entry = (await listEntries(interaction, context)).find(({ word }) => foldWord(word) === foldWord(text));
  const request = { text, voice: null, speed: null, ...(entry?.language ? { language: entry.language } : {}) };
  if (!entry && replace(text, null) === text)
    throw new UserError((t) => t('dictionary.nothingApplies', { typed: text }), { isEmptyState: true });
  const isInVoice = inGuild && interaction.member instanceof GuildMember && interaction.member.voice.channelId !== null;
  if (isInVoice) await speak(interaction, context, request);
  else await sendFile(interaction, context, request, { isPrivate: true });
}

/** The member's own, then the server's. @throws StoreError */
async function listEntries(interaction: AutocompleteInteraction | SayInteraction, { dictionaries }: DictionaryContext) {
  const own = dictionaries.entries({ userId: interaction.user.id });
  const entryLists = await Promise.all(interaction.inCachedGuild() ? [own, dictionaries.entries({ guildId: interaction.guildId })] : [own]);
  return entryLists.flat();
}

async function complete(interaction: AutocompleteInteraction, context: Context) {
  const { name, value } = interaction.options.getFocused(true);
  if (name === 'language')
    return findLanguages(COMMON_CODES, value, context.t.locale).map((language) => ({ name: language.name, value: language.code }));
  const isTest = interaction.options.getSubcommand(false) === 'test';
  const entries = isTest
    ? await listEntries(interaction, context)
    : await context.dictionaries.entries((await findSubjectToChange(interaction, context, interaction.options.getString('for'))).owner);
  const choices = new Map(
    findEntries(entries, value).map(({ word, spoken }) => [foldWord(word), { name: `${word} → ${spoken}`, value: word }]),
  );
  return [...choices.values()].slice(0, limits.choices);
}

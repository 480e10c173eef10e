// /voice, and Make a voice on a message: members' own voices, made from recordings.
import { ApplicationCommandOptionType, ApplicationCommandType, type AutocompleteInteraction, MessageFlags } from 'discord.js';
import { RECORDING_TYPES } from '../src/discord/attachments.ts';
import { limits } from '../src/discord/cards.ts';
import { EVERYWHERE, type MessageCommand, type SlashCommand } from '../src/discord/command.ts';
import { on } from '../src/discord/custom-ids.ts';
import { UserError } from '../src/discord/errors.ts';
import { described } from '../src/locales/command-texts.ts';
import { languages, type Translator, translatorFor } from '../src/locales/index.ts';
import type { SayContext } from '../src/say/context.ts';
import { sendFile } from '../src/say/file.ts';
import { speak } from '../src/say/say.ts';
import { namesOf } from '../src/voice-catalogue/catalogue.ts';
import { type MineContext, mineButtons, showMine } from '../src/voice-catalogue/my-voices.ts';
import {
  createFromCommand,
  createFromMessage,
  creationButtons,
  findOwned,
  recordingOptions,
} from '../src/voice-catalogue/own-voice-creation.ts';
import { MAX_TITLE } from '../src/voice-catalogue/own-voice-request.ts';
import { hearOwnId } from '../src/voice-catalogue/own-voice-views.ts';
import { fold } from '../src/voice-catalogue/titles.ts';

type VoiceContext = MineContext & SayContext;

export const voice = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'voice',
    ...described('commands.voice.description'),
    ...EVERYWHERE,
    options: [
      {
        type: ApplicationCommandOptionType.Subcommand,
        name: 'create',
        ...described('commands.voice.create.description'),
        options: [
          {
            type: ApplicationCommandOptionType.String,
            name: 'title',
            ...described('commands.voice.create.title'),
            required: true,
            max_length: MAX_TITLE,
          },
          ...recordingOptions.map((name, index) => ({
            type: ApplicationCommandOptionType.Attachment as const,
            name,
            ...described(index === 0 ? 'commands.voice.create.recording' : 'commands.voice.create.furtherRecording'),
            file_types: [...RECORDING_TYPES],
            required: index === 0,
          })),
          {
            type: ApplicationCommandOptionType.String,
            name: 'language',
            ...described('commands.voice.create.language'),
            max_length: 50,
            autocomplete: true,
          },
          { type: ApplicationCommandOptionType.Boolean, name: 'share', ...described('commands.voice.create.share') },
        ],
      },
      { type: ApplicationCommandOptionType.Subcommand, name: 'mine', ...described('commands.voice.mine.description') },
    ],
  },

  checksFor: ({ options }) => (options.getSubcommand() === 'mine' ? { browses: true } : { leadsToSpending: 'speech', browses: true }),

  complete: completeLanguage,

  async run(interaction, context) {
    const name = interaction.options.getSubcommand();
    if (name === 'create') {
      await createFromCommand(interaction, context);
    } else if (name === 'mine') {
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await showMine(interaction, context);
    } else {
      throw new UserError((t) => t('general.unknownCommand'));
    }
  },

  components: [
    ...creationButtons.components,
    ...mineButtons.components,
    on(hearOwnId, {
      spends: 'speech',
      async run(interaction, context, { ownerId, language, voice }) {
        const { id: voiceId } = await findOwned(interaction, context, ownerId, voice);
        const t = languages.some(({ locale }) => locale === language) ? translatorFor(language) : context.t;
        const request = { text: t('ownVoices.create.hello'), voice: voiceId, speed: null };
        const isListening = interaction.inCachedGuild() && interaction.member.voice.channel !== null;
        if (isListening) await speak(interaction, context, request);
        else await sendFile(interaction, context, request, { isPrivate: true });
      },
    }),
  ],

  modals: [...creationButtons.modals, ...mineButtons.modals],
} satisfies SlashCommand<VoiceContext>;

export const makeVoice = {
  data: { type: ApplicationCommandType.Message, name: 'Make a voice', ...EVERYWHERE },
  leadsToSpending: 'speech',
  browses: true,
  run: createFromMessage,
} satisfies MessageCommand<VoiceContext>;

/** Offers the languages that Parley itself has; any other can be typed. */
function completeLanguage(interaction: AutocompleteInteraction, { t }: { t: Translator }) {
  const typed = fold(interaction.options.getFocused());
  return languages
    .map(({ locale }) => ({ value: locale, names: namesOf(locale, t) }))
    .filter(({ names, value }) => [value, ...names].some((name) => fold(name).startsWith(typed)))
    .slice(0, limits.choices)
    .map(({ value, names: [name = value] }) => ({ name, value }));
}

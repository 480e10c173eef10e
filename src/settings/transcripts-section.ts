// The section of the /settings panel for transcripts: where voice messages are answered with their words, whose, and how.
import { ChannelType, ComponentType, channelMention, SelectMenuDefaultValueType } from 'discord.js';
import { customId, menu, row, text } from '../discord/cards.ts';
import type { TranscriptPermission } from '../discord/permissions.ts';
import type { Words } from '../locales/index.ts';
import { type GuildSettings, VOICE_MESSAGE_MINUTES } from '../store/settings.ts';
import {
  chosenValues,
  languageRow,
  lines,
  listed,
  MAX_OPTIONS,
  many,
  type Panel,
  type Part,
  readLanguage,
  withChosen,
} from './panel-parts.ts';

const WHO = ['asked', 'everyone'] as const;
const OPTIONS = ['spoiler', 'files'] as const;
const MINUTES = [1, 2, 3, VOICE_MESSAGE_MINUTES.usual, 10, 15, 30, VOICE_MESSAGE_MINUTES.most];
/** Channels of which it is said what is missing in them. */
const MAX_LACKING = 5;

export function drawTranscripts(t: Words, { settings, messageAccess, languages, lacksFor, hasChannel }: Panel): Part[] {
  const { settings: common } = t;
  const { panel: words } = t.voiceMessages;
  const { transcripts } = settings;
  if (messageAccess !== 'on') return [text(words.noAccess)];
  const channels = transcripts.channels.filter(hasChannel);
  const lacking = channels.map((id) => ({ id, missing: lacksFor(id) })).filter(({ missing }) => missing.length > 0);
  const minutes = [...new Set([...MINUTES, transcripts.longest])].sort((a, b) => a - b);
  return [
    lines(common.line(words.channels, listed(t, channels.map(channelMention), MAX_OPTIONS, common.none))),
    lacking.length === 0
      ? null
      : lines(
          ...lacking.slice(0, MAX_LACKING).map(({ id, missing }) =>
            words.lacks(
              id,
              missing.map((name) => nameOf(t, name)),
            ),
          ),
          ...(lacking.length > MAX_LACKING ? [common.more(lacking.length - MAX_LACKING)] : []),
        ),
    row({
      type: ComponentType.ChannelSelect,
      ...many(words.channelsMenu, 'transcripts', 'channels'),
      channel_types: [
        ...[ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.GuildForum],
        ...[ChannelType.GuildVoice, ChannelType.GuildStageVoice],
      ],
      default_values: chosenValues(channels, SelectMenuDefaultValueType.Channel),
    }),
    row(
      menu(
        customId('settings', 'transcripts', 'who'),
        words.who.asked,
        WHO.map((value) => ({
          ...{ label: words.who[value], description: words.whoWhat[value], value },
          default: value === transcripts.who,
        })),
      ),
    ),
    row(
      menu(
        customId('settings', 'transcripts', 'options'),
        words.optionsMenu,
        OPTIONS.map((value) => ({ ...words.options[value], value, default: transcripts[value] })),
        { min_values: 0, max_values: OPTIONS.length },
      ),
    ),
    row(
      menu(
        customId('settings', 'transcripts', 'longest'),
        words.longestName,
        minutes.map((count) => ({ label: words.longest(count), value: String(count), default: count === transcripts.longest })),
      ),
    ),
    languageRow(t, words, customId('settings', 'transcripts', 'language'), transcripts.language, languages),
  ];
}

/** As Discord shows it. */
function nameOf({ voiceChannels, reading, voiceMessages }: Words, permission: TranscriptPermission): string {
  return { ...voiceChannels.permissionNames, ...reading.status.permissionNames, ...voiceMessages.permissionNames }[permission];
}

/** How a menu of the section changes the settings; null if there is none of this name. @param shown what it had shown as chosen before */
export function changeTranscripts(
  name: string,
  { chosen, shown }: { chosen: string[]; shown: string[] },
): ((before: GuildSettings) => Pick<GuildSettings, 'transcripts'>) | null {
  type Transcripts = GuildSettings['transcripts'];
  const change = (by: (before: Transcripts) => Partial<Transcripts>) => (before: GuildSettings) => ({
    transcripts: { ...before.transcripts, ...by(before.transcripts) },
  });
  const [first] = chosen;
  switch (name) {
    case 'channels':
      return change(({ channels }) => ({ channels: withChosen(channels, chosen, shown) }));
    case 'who':
      return change(({ who }) => ({ who: WHO.find((one) => one === first) ?? who }));
    case 'options':
      return change(() => Object.fromEntries(OPTIONS.map((option) => [option, chosen.includes(option)])));
    case 'longest':
      return change(({ longest }) => ({ longest: MINUTES.find((count) => String(count) === first) ?? longest }));
    case 'language':
      return change(({ language }) => ({ language: readLanguage(first, language) }));
    default:
      return null;
  }
}

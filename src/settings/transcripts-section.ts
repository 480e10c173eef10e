// The section of the /settings panel for transcripts: where voice messages are answered with their words, whose, and how.
import { ChannelType, channelMention } from 'discord.js';
import { menu, row, text } from '../discord/cards.ts';
import type { Translator } from '../locales/index.ts';
import { type GuildSettings, VOICE_MESSAGE_MINUTES } from '../store/settings.ts';
import {
  changeGroup,
  channelRow,
  languageRow,
  lines,
  listLine,
  type Panel,
  type Part,
  readLanguage,
  settingsId,
  withChosen,
} from './panel-parts.ts';

const WHO = ['asked', 'everyone'] as const;
const OPTIONS = ['spoiler', 'files'] as const;
const CHANNEL_TYPES = [
  ...[ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.GuildForum],
  ...[ChannelType.GuildVoice, ChannelType.GuildStageVoice],
];
const MINUTES = [1, 2, 3, VOICE_MESSAGE_MINUTES.usual, 10, 15, 30, VOICE_MESSAGE_MINUTES.most];
/** Channels of which it is said what is missing in them. */
const MAX_LACKING = 5;

export function drawTranscripts(t: Translator, { settings, messageAccess, languages, lacksFor, hasChannel }: Panel): Part[] {
  const { transcripts } = settings;
  if (messageAccess !== 'on') return [text(t('voiceMessages.panel.noAccess'))];
  const channels = transcripts.channels.filter(hasChannel);
  const lacking = channels.map((id) => ({ id, missing: lacksFor(id) })).filter(({ missing }) => missing.length > 0);
  const minutes = [...new Set([...MINUTES, transcripts.longest])].sort((a, b) => a - b);
  return [
    lines(listLine(t, t('voiceMessages.panel.channels'), channels.map(channelMention), t('settings.none'))),
    lacking.length === 0
      ? null
      : lines(
          ...lacking
            .slice(0, MAX_LACKING)
            .map(({ id, missing }) =>
              t('voiceMessages.panel.lacks', { channel: id, permissions: missing.map((name) => t(`permissions.${name}`)) }),
            ),
          ...(lacking.length > MAX_LACKING ? [t('settings.more', { count: lacking.length - MAX_LACKING })] : []),
        ),
    channelRow(t('voiceMessages.panel.channelsMenu'), { action: 'transcripts', name: 'channels' }, CHANNEL_TYPES, channels),
    row(
      menu(
        settingsId.write({ action: 'transcripts', name: 'who' }),
        t('voiceMessages.panel.who.asked'),
        WHO.map((value) => ({
          label: t(`voiceMessages.panel.who.${value}`),
          description: t(`voiceMessages.panel.whoWhat.${value}`),
          value,
          default: value === transcripts.who,
        })),
      ),
    ),
    row(
      menu(
        settingsId.write({ action: 'transcripts', name: 'options' }),
        t('voiceMessages.panel.optionsMenu'),
        OPTIONS.map((value) => ({
          label: t(`voiceMessages.panel.options.${value}.label`),
          description: t(`voiceMessages.panel.options.${value}.description`),
          value,
          default: transcripts[value],
        })),
        { min_values: 0, max_values: OPTIONS.length },
      ),
    ),
    row(
      menu(
        settingsId.write({ action: 'transcripts', name: 'longest' }),
        t('voiceMessages.panel.longestName'),
        minutes.map((count) => ({
          label: t('voiceMessages.panel.longest', { seconds: 60 * count }),
          value: String(count),
          default: count === transcripts.longest,
        })),
      ),
    ),
    languageRow(t, 'voiceMessages', settingsId.write({ action: 'transcripts', name: 'language' }), transcripts.language, languages),
  ];
}

/** How a menu of the section changes the settings; null if there is none of this name. @param shown what it had shown as chosen before */
export function changeTranscripts(
  name: string,
  { chosen, shown }: { chosen: string[]; shown: string[] },
): ((before: GuildSettings) => Pick<GuildSettings, 'transcripts'>) | null {
  const change = (by: Parameters<typeof changeGroup<'transcripts'>>[1]) => changeGroup('transcripts', by);
  const [first] = chosen;
  switch (name) {
    case 'channels':
      return change(({ channels }) => ({ channels: withChosen(channels, chosen, shown) }));
    case 'who':
      return change(({ who }) => ({ who: WHO.find((value) => value === first) ?? who }));
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

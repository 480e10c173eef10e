// The section of the /settings panel for captions: who may start them and where, who is never captioned, and how they are written.
import { ChannelType, ComponentType, channelMention, roleMention, SelectMenuDefaultValueType } from 'discord.js';
import { menu, row } from '../discord/cards.ts';
import type { Translator } from '../locales/index.ts';
import type { GuildSettings } from '../store/settings.ts';
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
  settingsId,
  withChosen,
} from './panel-parts.ts';

const CONSENT = ['kept', 'each'] as const;
const PLACES = ['chat', 'thread'] as const;

export function drawCaptions(t: Translator, { settings: { captions }, languages, hasRole, hasChannel }: Panel): Part[] {
  const roles = (ids: string[], none: string) =>
    listed(
      t,
      ids.map((id) => (hasRole(id) ? roleMention(id) : t('settings.deletedRole'))),
      MAX_OPTIONS,
      none,
    );
  const roleMenu = (name: 'starters' | 'excluded', placeholder: string) =>
    row({
      type: ComponentType.RoleSelect,
      ...many(placeholder, 'captions', name),
      default_values: chosenValues(captions[name].filter(hasRole), SelectMenuDefaultValueType.Role),
    });
  return [
    lines(
      t('settings.line', { name: t('captions.panel.starters'), value: roles(captions.starters, t('settings.everyone')) }),
      t('settings.line', {
        name: t('captions.panel.channels'),
        value: listed(
          t,
          captions.channels.map((id) => (hasChannel(id) ? channelMention(id) : t('settings.deletedVoiceChannel'))),
          MAX_OPTIONS,
          t('settings.everywhere'),
        ),
      }),
      t('settings.line', { name: t('captions.panel.excluded'), value: roles(captions.excluded, t('settings.nobody')) }),
    ),
    roleMenu('starters', t('captions.panel.startersMenu')),
    row({
      type: ComponentType.ChannelSelect,
      ...many(t('captions.panel.channelsMenu'), 'captions', 'channels'),
      channel_types: [ChannelType.GuildVoice],
      default_values: chosenValues(captions.channels.filter(hasChannel), SelectMenuDefaultValueType.Channel),
    }),
    roleMenu('excluded', t('captions.panel.excludedMenu')),
    row(
      menu(
        settingsId.write({ action: 'captions', name: 'consent' }),
        t('captions.panel.consentName'),
        CONSENT.map((value) => ({ label: t(`captions.panel.consent.${value}`), value, default: value === captions.consent })),
      ),
    ),
    row(
      menu(
        settingsId.write({ action: 'captions', name: 'place' }),
        t('captions.panel.placeName'),
        PLACES.map((value) => ({
          label: t(`captions.panel.place.${value}`),
          description: t(`captions.panel.placeWhat.${value}`),
          value,
          default: value === captions.place,
        })),
      ),
    ),
    languageRow(t, 'captions', settingsId.write({ action: 'captions', name: 'language' }), captions.language, languages),
  ];
}

/**
 * How a menu of the section changes the settings; null if there is none of this name. Deleted roles and channels are dropped.
 * @param shown what it had shown as chosen before
 */
export function changeCaptions(
  name: string,
  { chosen, shown, hasRole, hasChannel }: { chosen: string[]; shown: string[] } & Pick<Panel, 'hasRole' | 'hasChannel'>,
): ((before: GuildSettings) => Pick<GuildSettings, 'captions'>) | null {
  type Captions = GuildSettings['captions'];
  const change = (by: (before: Captions) => Partial<Captions>) => (before: GuildSettings) => ({
    captions: { ...before.captions, ...by(before.captions) },
  });
  const [first] = chosen;
  switch (name) {
    case 'starters':
    case 'excluded':
      return change((before) => ({ [name]: withChosen(before[name].filter(hasRole), chosen, shown) }));
    case 'channels':
      return change(({ channels }) => ({ channels: withChosen(channels.filter(hasChannel), chosen, shown) }));
    case 'consent':
      return change(({ consent }) => ({ consent: CONSENT.find((value) => value === first) ?? consent }));
    case 'place':
      return change(({ place }) => ({ place: PLACES.find((value) => value === first) ?? place }));
    case 'language':
      return change(({ language }) => ({ language: readLanguage(first, language) }));
    default:
      return null;
  }
}

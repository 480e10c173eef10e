// The section of the /settings panel for captions: who may start them and where, who is never captioned, and how they are written.
import { ChannelType } from 'discord.js';
import { menu, row } from '../discord/cards.ts';
import type { Translator } from '../locales/index.ts';
import type { GuildSettings } from '../store/settings.ts';
import {
  changeGroup,
  channelNames,
  channelRow,
  languageRow,
  lines,
  listLine,
  type Panel,
  type Part,
  readLanguage,
  roleNames,
  roleRow,
  settingsId,
  withChosen,
} from './panel-parts.ts';

const CONSENT = ['kept', 'each'] as const;
const PLACES = ['chat', 'thread'] as const;

export function drawCaptions(t: Translator, panel: Panel): Part[] {
  const { languages, hasRole, hasChannel } = panel;
  const { captions } = panel.settings;
  const channels = channelNames(captions.channels, panel, () => t('settings.deletedVoiceChannel'));
  const roleMenu = (name: 'starters' | 'excluded', placeholder: string) =>
    roleRow(placeholder, { action: 'captions', name }, captions[name].filter(hasRole));
  return [
    lines(
      listLine(t, t('captions.panel.starters'), roleNames(t, captions.starters, panel), t('settings.everyone')),
      listLine(t, t('captions.panel.channels'), channels, t('settings.everywhere')),
      listLine(t, t('captions.panel.excluded'), roleNames(t, captions.excluded, panel), t('settings.nobody')),
    ),
    roleMenu('starters', t('captions.panel.startersMenu')),
    channelRow(
      t('captions.panel.channelsMenu'),
      { action: 'captions', name: 'channels' },
      [ChannelType.GuildVoice],
      captions.channels.filter(hasChannel),
    ),
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
  const change = (by: Parameters<typeof changeGroup<'captions'>>[1]) => changeGroup('captions', by);
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

// The section of the /settings panel for reading channels aloud: what is always read, who is read, and how.
import { ChannelType, ComponentType, channelMention, roleMention, SelectMenuDefaultValueType } from 'discord.js';
import { button, menu, row, section, text } from '../bot/cards.ts';
import { customId } from '../bot/discord-limits.ts';
import type { Words } from '../locales/index.ts';
import { asCode } from '../text/untrusted-text.ts';
import { withChosen } from './changes.ts';
import type { GuildSettings } from './index.ts';
import { chosenValues, lines, listed, MAX_OPTIONS, many, type Panel, type Part } from './panel-parts.ts';

const WHO = ['everyone', 'listeners'] as const;
const OPTIONS = ['names', 'bots', 'reactions'] as const;
/** Most pairs of channels that are always read. Nobody fills so many menus. */
const MAX_PAIRS = 100;

export function drawReading(t: Words, { settings, target, messageAccess, hasRole, hasChannel }: Panel): Part[] {
  const { settings: common } = t;
  const { panel: words } = t.reading;
  const { reading, readerRoles } = settings;
  const pairs = reading.always.filter((pair) => hasChannel(pair.textChannelId) && hasChannel(pair.voiceChannelId));
  const voiceChannelId = target !== undefined && target !== 'server' && hasChannel(target) ? target : null;
  const readThere = pairs.filter((pair) => pair.voiceChannelId === voiceChannelId).map((pair) => pair.textChannelId);
  const names = (ids: string[], none: string) =>
    listed(
      t,
      ids.map((id) => (hasRole(id) ? roleMention(id) : common.deletedRole)),
      MAX_OPTIONS,
      none,
    );
  const shown = pairs.map((pair) => words.pair(channelMention(pair.textChannelId), channelMention(pair.voiceChannelId)));
  return [
    messageAccess === 'refused' ? text(t.reading.noAccess) : null,
    lines(common.line(words.always, listed(t, shown, MAX_OPTIONS, common.none))),
    row({
      type: ComponentType.ChannelSelect,
      custom_id: customId('settings', 'always-in'),
      placeholder: words.alwaysMenu,
      channel_types: [ChannelType.GuildVoice],
      min_values: 0,
      max_values: 1,
      ...(voiceChannelId === null ? {} : { default_values: chosenValues([voiceChannelId], SelectMenuDefaultValueType.Channel) }),
    }),
    voiceChannelId === null
      ? null
      : row({
          type: ComponentType.ChannelSelect,
          ...many(words.textMenu, 'reading', 'always', voiceChannelId),
          channel_types: [ChannelType.GuildText, ChannelType.GuildAnnouncement, ChannelType.GuildVoice],
          default_values: chosenValues(readThere, SelectMenuDefaultValueType.Channel),
        }),
    row(
      menu(
        customId('settings', 'reading', 'who'),
        words.who.everyone,
        WHO.map((value) => ({ label: words.who[value], value, default: value === reading.who })),
      ),
    ),
    row(
      menu(
        customId('settings', 'reading', 'options'),
        words.optionsMenu,
        OPTIONS.map((value) => ({ ...words.options[value], value, default: reading[value] })),
        { min_values: 0, max_values: OPTIONS.length },
      ),
    ),
    lines(common.line(words.roles, names(reading.roles, common.everyone))),
    row({
      type: ComponentType.RoleSelect,
      ...many(words.rolesMenu, 'reading', 'roles'),
      default_values: chosenValues(reading.roles.filter(hasRole), SelectMenuDefaultValueType.Role),
    }),
    lines(common.line(words.readerRoles, names(readerRoles, words.adminsOnly))),
    row({
      type: ComponentType.RoleSelect,
      ...many(words.readerRolesMenu, 'reading', 'readerRoles'),
      default_values: chosenValues(readerRoles.filter(hasRole), SelectMenuDefaultValueType.Role),
    }),
    section(
      button(common.change, customId('settings', 'reading-form')),
      [
        common.line(words.delay, words.seconds(reading.maxDelay)),
        common.line(words.prefix, reading.ignorePrefix === '' ? common.none : asCode(reading.ignorePrefix)),
      ].join('\n'),
    ),
  ];
}

/** What was chosen in a menu, and what it had shown as chosen before. */
interface Choice {
  /** Id of a voice channel, for what is always read there. */
  target: string | undefined;
  chosen: string[];
  shown: string[];
  /** Deleted roles are dropped. */
  hasRole(id: string): boolean;
}

/** How a menu of the section changes the settings; null if there is none of this name. */
export function changeReading(
  name: string,
  { target, chosen, shown, hasRole }: Choice,
): ((before: GuildSettings) => Partial<GuildSettings>) | null {
  const change = (by: (reading: GuildSettings['reading']) => Partial<GuildSettings['reading']>) => (before: GuildSettings) => ({
    reading: { ...before.reading, ...by(before.reading) },
  });
  switch (name) {
    case 'always':
      return target === undefined ? null : change(({ always }) => ({ always: withAlways(always, target, chosen, shown) }));
    case 'who':
      return change(({ who }) => ({ who: WHO.find((one) => one === chosen[0]) ?? who }));
    case 'options':
      return change(() => Object.fromEntries(OPTIONS.map((option) => [option, chosen.includes(option)])));
    case 'roles':
      return change(({ roles }) => ({ roles: withChosen(roles.filter(hasRole), chosen, shown) }));
    case 'readerRoles':
      return ({ readerRoles }) => ({ readerRoles: withChosen(readerRoles.filter(hasRole), chosen, shown) });
    default:
      return null;
  }
}

type Pairs = GuildSettings['reading']['always'];

function withAlways(always: Pairs, voiceChannelId: string, chosen: string[], shown: string[]): Pairs {
  const others = always.filter((pair) => pair.voiceChannelId !== voiceChannelId);
  const here = always.filter((pair) => pair.voiceChannelId === voiceChannelId).map((pair) => pair.textChannelId);
  const added = withChosen(here, chosen, shown).map((textChannelId) => ({ textChannelId, voiceChannelId }));
  return [...others, ...added].slice(0, MAX_PAIRS);
}

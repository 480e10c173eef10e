// Refusals: members who may not use Parley, or not here, and those who ask too fast; in German.
import { channelMention, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const settings = inlineCode('/settings');
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `${inlineCode('/say')} ist hier für dich abgeschaltet. Unter ${settings} kannst du es wieder einschalten.`
      : `Ein Server-Admin hat ${inlineCode('/say')} für dich abgeschaltet.`,
  roles: (ids) =>
    isShort(ids)
      ? `Hier können mich nur Mitglieder mit ${format.or(ids.map(roleMention))} benutzen. Ein Server-Admin kann dir die Rolle geben.`
      : 'Hier können mich nur Mitglieder mit bestimmten Rollen benutzen. Ein Server-Admin kann dir eine geben.',
  channels: (ids) =>
    isShort(ids)
      ? `Hier arbeite ich nur in ${format.or(ids.map(channelMention))}. Versuch es dort noch einmal.`
      : 'Hier arbeite ich nur in bestimmten Kanälen. Versuch es in einem davon noch einmal.',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `Hier spreche ich nur in ${format.or(ids.map(channelMention))}. Tritt bei und versuch es noch einmal.`
      : 'Hier spreche ich nur in bestimmten Sprachkanälen. Tritt einem davon bei und versuch es noch einmal.',
  channelsGone: `Die Kanäle, auf die ich hier beschränkt bin, gibt es nicht mehr. Bitte einen Server-Admin, unter ${settings} andere zu wählen.`,
  voiceChannelsGone: `Die Sprachkanäle, auf die ich hier beschränkt bin, gibt es nicht mehr. Bitte einen Server-Admin, unter ${settings} andere zu wählen.`,
  tooFast: (again) => `Du bist mir ein bisschen zu schnell. Versuch es ${format.relative(again)} noch einmal.`,
};

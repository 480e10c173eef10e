// Refusals: members who may not use Parley, or not here, and those who ask too fast; in Brazilian Portuguese.
import { channelMention, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const settings = inlineCode('/settings');
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `${inlineCode('/say')} está desligado para você aqui. Você pode ligar de novo em ${settings}.`
      : `Um admin do servidor desligou ${inlineCode('/say')} para você.`,
  roles: (ids) =>
    isShort(ids)
      ? `Aqui, só membros com ${format.or(ids.map(roleMention))} podem me usar. Um admin do servidor pode dar o cargo a você.`
      : 'Aqui, só membros com certos cargos podem me usar. Um admin do servidor pode dar um a você.',
  channels: (ids) =>
    isShort(ids)
      ? `Aqui, só funciono em ${format.or(ids.map(channelMention))}. Tente de novo lá.`
      : 'Aqui, só funciono em certos canais. Tente de novo em um deles.',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `Aqui, só falo em ${format.or(ids.map(channelMention))}. Entre lá e tente de novo.`
      : 'Aqui, só falo em certos canais de voz. Entre em um deles e tente de novo.',
  channelsGone: `Os únicos canais em que eu podia funcionar aqui não existem mais. Peça a um admin do servidor para escolher outros em ${settings}.`,
  voiceChannelsGone: `Os únicos canais de voz em que eu podia falar aqui não existem mais. Peça a um admin do servidor para escolher outros em ${settings}.`,
  tooFast: (again) => `Você está indo rápido demais para mim. Tente de novo ${format.relative(again)}.`,
};

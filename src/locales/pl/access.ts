// Refusals: members who may not use Parley, or not here, and those who ask too fast; in Polish.
import { channelMention, inlineCode, roleMention } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

const settings = inlineCode('/settings');
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access: Words['access'] = {
  muted: (isAdmin) =>
    isAdmin
      ? `${inlineCode('/say')} jest tu dla ciebie wyłączone. Możesz włączyć je z powrotem w ${settings}.`
      : `Administrator serwera wyłączył ci ${inlineCode('/say')}.`,
  roles: (ids) =>
    isShort(ids)
      ? `Używać mnie tutaj mogą tylko osoby z rolą ${format.or(ids.map(roleMention))}. Administrator serwera może nadać ci tę rolę.`
      : 'Używać mnie tutaj mogą tylko osoby z określonymi rolami. Administrator serwera może nadać ci jedną z nich.',
  channels: (ids) =>
    isShort(ids)
      ? `Tutaj działam tylko na ${format.or(ids.map(channelMention))}. Spróbuj tam.`
      : 'Tutaj działam tylko na wybranych kanałach. Spróbuj na jednym z nich.',
  voiceChannels: (ids) =>
    isShort(ids)
      ? `Tutaj mówię tylko na ${format.or(ids.map(channelMention))}. Dołącz i spróbuj ponownie.`
      : 'Tutaj mówię tylko na wybranych kanałach głosowych. Dołącz do jednego z nich i spróbuj ponownie.',
  channelsGone: `Kanałów, na których wolno mi tu działać, już nie ma. Poproś administratora serwera, żeby wybrał inne w ${settings}.`,
  voiceChannelsGone: `Kanałów głosowych, na których wolno mi tu mówić, już nie ma. Poproś administratora serwera, żeby wybrał inne w ${settings}.`,
  tooFast: (again) => `To dla mnie trochę za szybko. Spróbuj ponownie ${format.relative(again)}.`,
};

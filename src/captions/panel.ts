// The panel of captions: what is heard and what happens with it, who is captioned, what it costs, and the buttons with which members decide.
import { ButtonStyle } from 'discord.js';
import { button, type CardMessage, card, cards, menu, row, separator, text } from '../discord/cards.ts';
import { customId, part } from '../discord/custom-ids.ts';
import type { Translator } from '../locales/index.ts';
import { deleteWordsId, languageOptions } from '../transcription/message.ts';

/** Everything that the panel shows. */
export interface PanelState {
  voiceChannelId: string;
  startedBy: string;
  /** Ids of members who are captioned. */
  captioned: readonly string[];
  /** Ids of captioned members who can't be heard. */
  unheard: readonly string[];
  /** A moderator has deafened the bot, so nobody can be heard. */
  isDeafened: boolean;
  /** When budgets reset, in milliseconds since 1970; the member null is the whole server. */
  outOfBudget: readonly (readonly [memberId: string | null, resetsAt: number])[];
  /** Seconds charged, and what they cost in the wallet's unit; null = unknown. */
  seconds: number;
  cost: number | null;
  /** Whether agreement is kept for the server. */
  isKept: boolean;
  /** The host that sound is sent to; null = the service on the bot's own machine. */
  service: string | null;
  /** Languages to offer, BCP 47. */
  languages: readonly string[];
}

export const captionsId = customId('captions', { action: part.oneOf('on', 'off', 'language') });

/** More names than this are a number. */
const MAX_NAMES = 20;

export function captionsPanel(t: Translator, state: PanelState): CardMessage {
  const { captioned, unheard, isDeafened, outOfBudget } = state;
  return cards(
    card(
      'speaking',
      text(`### ${t('captions.title', { channel: state.voiceChannelId })}`),
      text(t('captions.what')),
      text(
        [
          state.service === null ? t('captions.soundOnOwnMachine') : t('captions.sound', { host: state.service }),
          t('captions.consent', { isKept: state.isKept }),
        ]
          .map((line) => `-# ${line}`)
          .join('\n'),
      ),
      separator(),
      text(
        [
          captionedLine(t, captioned),
          ...(isDeafened ? [t('captions.deafened')] : []),
          ...(unheard.length > 0 ? [t('captions.unheard', { members: unheard.slice(0, MAX_NAMES) })] : []),
          ...outOfBudget
            .slice(0, MAX_NAMES)
            .map(([memberId, at]) =>
              memberId === null ? t('captions.serverOutOfBudget', { at }) : t('captions.outOfBudget', { member: memberId, at }),
            ),
          costLine(t, state),
        ].join('\n'),
      ),
      row(
        button(t('captions.captionButton'), captionsId.write({ action: 'on' }), ButtonStyle.Primary),
        button(t('captions.stopButton'), captionsId.write({ action: 'off' })),
        button(t('captions.deleteButton'), deleteWordsId.write({})),
      ),
      row(menu(captionsId.write({ action: 'language' }), t('captions.languageMenu'), languageOptions(state.languages, t))),
    ),
  );
}

/** What is left of a panel that a newer one has replaced; the button must always work. */
export function earlierPanel(t: Translator, { voiceChannelId, link }: { voiceChannelId: string; link: string }): CardMessage {
  return cards(
    card(
      'neutral',
      text(`### ${t('captions.title', { channel: voiceChannelId })}`),
      text(t('captions.newerPanel', { link })),
      row(button(t('captions.stopButton'), captionsId.write({ action: 'off' }))),
    ),
  );
}

/** What is left of the panel once captions have ended. */
export function endedPanel(
  t: Translator,
  { voiceChannelId, startedBy, seconds, cost }: Pick<PanelState, 'voiceChannelId' | 'startedBy' | 'seconds' | 'cost'>,
): CardMessage {
  return cards(
    card(
      'neutral',
      text(`### ${t('captions.title', { channel: voiceChannelId })}`),
      text(t('captions.hasEnded')),
      text(costLine(t, { seconds, cost, startedBy })),
    ),
  );
}

function captionedLine(t: Translator, memberIds: readonly string[]): string {
  if (memberIds.length === 0) return t('captions.nobodyCaptioned');
  const members = memberIds.slice(0, MAX_NAMES);
  const more = memberIds.length - members.length;
  return more > 0 ? t('captions.captionedAndMore', { members, more }) : t('captions.captioned', { members });
}

function costLine(t: Translator, { seconds, cost, startedBy }: Pick<PanelState, 'seconds' | 'cost' | 'startedBy'>): string {
  const used = cost === null ? t('captions.heardSoFar', { seconds }) : t('captions.cost', { seconds, cost });
  return `-# ${used} · ${t('captions.startedBy', { member: startedBy })}`;
}

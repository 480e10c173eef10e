// The panel of captions: what is heard and what happens with it, who is captioned, what it costs, and the buttons with which members decide.
import { ButtonStyle } from 'discord.js';
import { button, type CardMessage, card, cards, customId, menu, row, separator, text } from '../discord/cards.ts';
import type { Words } from '../locales/index.ts';
import { DELETE_WORDS, languageOptions } from '../transcription/message.ts';

/** Everything that the panel shows. */
export interface PanelState {
  voiceChannelId: string;
  startedBy: string;
  /** Ids of members who are captioned. */
  captioned: readonly string[];
  /** Those among them who can't be heard. */
  unheard: readonly string[];
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

/** More names than this are a number. */
const MAX_NAMES = 20;

export function captionsPanel(t: Words, state: PanelState): CardMessage {
  const { captions: words } = t;
  const { captioned, unheard, outOfBudget } = state;
  return cards(
    card(
      'speaking',
      text(`### ${words.title(state.voiceChannelId)}`),
      text(words.what),
      text([words.sound(state.service), words.consent(state.isKept)].map((one) => `-# ${one}`).join('\n')),
      separator(),
      text(
        [
          words.captioned(captioned.slice(0, MAX_NAMES), Math.max(0, captioned.length - MAX_NAMES)),
          ...(unheard.length > 0 ? [words.unheard(unheard.slice(0, MAX_NAMES))] : []),
          ...outOfBudget
            .slice(0, MAX_NAMES)
            .map(([memberId, at]) => (memberId === null ? words.serverOutOfBudget(at) : words.outOfBudget(memberId, at))),
          `-# ${words.cost(state.seconds, state.cost)} · ${words.startedBy(state.startedBy)}`,
        ].join('\n'),
      ),
      row(
        button(words.captionButton, customId('captions', 'on'), ButtonStyle.Primary),
        button(words.stopButton, customId('captions', 'off')),
        button(words.deleteButton, DELETE_WORDS),
      ),
      row(menu(customId('captions', 'language'), words.languageMenu, languageOptions(state.languages, t))),
    ),
  );
}

/** What is left of the panel once captions have ended. */
export function endedPanel(
  t: Words,
  { voiceChannelId, startedBy, seconds, cost }: Pick<PanelState, 'voiceChannelId' | 'startedBy' | 'seconds' | 'cost'>,
): CardMessage {
  const { captions: words } = t;
  return cards(
    card(
      'neutral',
      text(`### ${words.title(voiceChannelId)}`),
      text(words.hasEnded),
      text(`-# ${words.cost(seconds, cost)} · ${words.startedBy(startedBy)}`),
    ),
  );
}

// The embed of /status: the verdict first, then each part with what to do about it.
import { type APIEmbed, type APIEmbedField, channelMention } from 'discord.js';
import { COLOR, limits } from '../bot/discord-limits.ts';
import { en } from '../locales/en/index.ts';
import { truncate } from '../text/truncate.ts';
import type { Facts, Verdict } from './diagnosis.ts';

const text = en.status;

/** Shown beside the facts. */
export interface StatusDetails {
  /** The bot's permissions in the channel of the command. */
  here: { viewChannel: boolean; sendMessages: boolean };
  /** Null unless an operator asks. */
  balance: string | null;
}

const COLORS = { good: COLOR, wait: 0xd9a322, bad: 0xd6455d } as const;
/** In the order in which Discord lists them. */
const VOICE_PERMISSIONS = Object.values(en.voiceChannels.permissionNames);

export function statusEmbed(facts: Facts, { state, sentence }: Verdict, { here, balance }: StatusDetails): APIEmbed {
  const { inGuild, session, volume, service, spending } = facts;
  const field = (name: keyof typeof text.fields, ...lines: string[]): APIEmbedField => ({
    name: text.fields[name],
    value: truncate(lines.join('\n'), limits.fieldValue) || '?',
    inline: lines.length === 1 && (name === 'queue' || name === 'volume' || name === 'service'),
  });
  return {
    color: COLORS[state],
    description: truncate(sentence, 1500),
    fields: [
      ...(inGuild
        ? [
            field('voice', ...channelLines(facts)),
            field('you', ...memberLines(facts)),
            field('connection', ...connectionLines(facts)),
            field(
              'here',
              checkLine(here.viewChannel, text.viewChannel, text.permission),
              checkLine(here.sendMessages, text.sendMessages, text.sendMessagesNext),
            ),
            field('queue', text.queue(session?.length ?? 0)),
            field('volume', text.percent(volume)),
          ]
        : []),
      field('service', serviceLine(service), ...(spending.credit === null ? [] : [`✗ ${spending.credit}`])),
      ...(balance === null ? [] : [field('credit', truncate(balance.trim() || '?', 200))]),
    ],
  };
}

function serviceLine(service: Facts['service']): string {
  if ('ms' in service) return text.yes(text.reachable(service.ms));
  return 'problem' in service ? `✗ ${service.problem}` : `· ${service.unknown}`;
}

function checkLine(isGood: boolean, what: string, next: string): string {
  return isGood ? text.yes(what) : text.no(what, next);
}

function channelLines({ channel, me }: Facts): string[] {
  if (!channel) return [text.noChannel];
  if (channel.isStage) return [channelMention(channel.id), text.stageField];
  return [
    channelMention(channel.id),
    ...VOICE_PERMISSIONS.map((name) => checkLine(!channel.missing.includes(name), name, text.permission)),
    me.serverMute ? text.no(text.muted, text.mutedNext) : text.yes(text.notMuted),
    channel.isFull ? text.no(text.full1, text.fullNext) : text.yes(text.room),
  ];
}

function memberLines({ member: { selfDeaf, serverDeaf, refusal }, spending }: Facts): string[] {
  const reason = refusal ?? spending.budget;
  return [
    serverDeaf || selfDeaf ? text.no(text.deaf, serverDeaf ? text.deafServerNext : text.deafSelfNext) : text.yes(text.hears),
    reason === null ? text.yes(text.may) : text.no(text.mayNot, reason),
  ];
}

function connectionLines({ session }: Facts): string[] {
  if (!session) return [text.notConnected];
  const { channelId, state } = session;
  const pings = 'ping' in state ? [state.ping.udp ?? state.ping.ws].filter((ms) => ms !== null) : [];
  return [
    text.connected(channelId, text.states[state.status], state.since),
    ...(state.status === 'ready'
      ? [checkLine(state.encrypted, state.encrypted ? text.encrypted : text.notEncrypted, text.notEncryptedNext)]
      : []),
    ...pings.map(text.ping),
  ];
}

// Why is nothing heard? From what is known to the most probable cause and the next step. Pure.
import { en } from '../locales/en/index.ts';
import type { SessionState } from '../voice/types.ts';

/** Everything that decides whether the member hears me. */
export interface Facts {
  /** Milliseconds since 1970. */
  now: number;
  /** Whether I am a member of the server; false also in direct messages. */
  inGuild: boolean;
  /** The voice channel that the member is in. */
  channel: { id: string; isStage: boolean; isFull: boolean; missing: string[] } | null;
  /** Whom the member does not hear because of themselves, or of a moderator; `refusal` is why they may not use /say here. */
  member: { selfDeaf: boolean; serverDeaf: boolean; refusal: string | null };
  me: { serverMute: boolean };
  /** `before`: how many play before the first of this member's; null = the member has none in the queue. */
  session: { channelId: string; state: SessionState; length: number; before: number | null } | null;
  /** A factor; that of the server. */
  volume: number;
  service: Service;
  /** Why even the shortest text of this member's would be refused now: for want of credit, of the day's budget. */
  spending: { credit: string | null; budget: string | null };
}

/** Reachable, with its delay in milliseconds; or what is wrong with it; or, without a catalogue to ask for, why that is not known. */
export type Service = { ms: number } | { problem: string } | { unknown: string };

export interface Verdict {
  /** `wait`: it will be well by itself. */
  state: 'good' | 'wait' | 'bad';
  /** The most probable cause, then the next step. */
  sentence: string;
}

/** A connection that is not there by then needs help. */
const SLOW_MS = 15_000;
/** Above this the first sound is late. */
const SLOW_SERVICE_MS = 2_000;

/** What the member can do themselves comes first, then what admins can, then what nobody here can. */
export function diagnose(facts: Facts): Verdict {
  const { inGuild, channel, member, me, session, volume, service, spending } = facts;
  const text = en.status;
  if (!inGuild) return bad(text.notInGuild);
  if (!channel) return bad(session && session.length > 0 ? text.speaksElsewhere(session.channelId) : text.notInVoice);
  if (channel.isStage) return bad(text.stage(channel.id));
  if (member.serverDeaf) return bad(text.serverDeaf);
  if (member.selfDeaf) return bad(text.selfDeaf);
  if (session && session.length > 0 && session.channelId !== channel.id) return bad(text.elsewhere(session.channelId, channel.id));
  if (channel.missing.length > 0) return bad(text.missing(channel.missing, channel.id));
  if (me.serverMute) return bad(text.serverMute);
  if (channel.isFull && session?.channelId !== channel.id) return bad(text.full(channel.id));
  if (volume === 0) return bad(text.silent);
  const connection = session?.channelId === channel.id ? connectionVerdict(session.state, facts.now) : null;
  if (connection?.state === 'bad') return connection;
  if ('problem' in service) return bad(text.service(service.problem));
  if (spending.credit !== null) return bad(spending.credit);
  if (member.refusal !== null) return bad(member.refusal);
  if (connection) return connection;
  // What waits or is being said has been taken out of the budgets already.
  const hasOwn = session !== null && session.length > 0 && session.before !== null;
  if (spending.budget !== null && !hasOwn) return bad(spending.budget);
  if (session && session.length > 0) {
    if (session.before === null) return { state: 'good', sentence: text.others };
    return session.before > 0 ? { state: 'wait', sentence: text.queued(session.before) } : { state: 'good', sentence: text.speaking };
  }
  if ('ms' in service && service.ms > SLOW_SERVICE_MS) return { state: 'wait', sentence: text.slow(service.ms) };
  return { state: 'good', sentence: text.ready };
}

/** Null where frames leave. */
function connectionVerdict({ status, since }: SessionState, now: number): Verdict | null {
  if (status === 'ready' || status === 'closed') return null;
  const isSlow = now - since > SLOW_MS;
  const { [status]: sentence } = isSlow ? en.status.stuck : en.status.underWay;
  return { state: isSlow ? 'bad' : 'wait', sentence };
}

function bad(sentence: string): Verdict {
  return { state: 'bad', sentence };
}

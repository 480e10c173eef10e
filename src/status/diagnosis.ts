// Why does the member hear nothing? Derives the most probable cause and the next step from the facts.
import type { Words } from '../locales/index.ts';
import type { SessionState } from '../voice/types.ts';

/** Everything that decides whether the member hears the bot. */
export interface Facts {
  /** Milliseconds since 1970. */
  now: number;
  /** Is the bot a member of the guild? False in direct messages. */
  inGuild: boolean;
  /** The member's voice channel; `missing` are permissions the bot lacks there. */
  channel: { id: string; isStage: boolean; isFull: boolean; missing: string[] } | null;
  /** `refusal`: why the member may not use /say here. */
  member: { selfDeaf: boolean; serverDeaf: boolean; refusal: string | null };
  me: { serverMute: boolean };
  /** `before`: how many utterances play before the member's first; null = the member has none in the queue. */
  session: { channelId: string; state: SessionState; length: number; before: number | null } | null;
  /** Another process of the bot speaks to its end what it has begun here, in this channel; null = none does. */
  movingFrom: string | null;
  /** Why a channel that is read aloud in the member's voice channel isn't read now, and how to resume it; null = none is silent. */
  silence: string | null;
  /** The server's volume, as a factor; null = it can't be read. */
  volume: number | null;
  service: ServiceStatus;
  /** Why even the shortest text would be refused now: no credit, or no daily budget left. */
  spending: { credit: string | null; budget: string | null };
}

/** The response time in milliseconds; or what is wrong; or why it is unknown, since there is no catalogue to ask for. */
export type ServiceStatus = { ms: number } | { problem: string } | { unknown: string };

export interface Verdict {
  /** `wait`: it will resolve itself. */
  state: 'good' | 'wait' | 'bad';
  /** The most probable cause, then the next step. */
  sentence: string;
}

/** A connection that takes longer needs help. */
const SLOW_MS = 15_000;
/** Above this, speech starts noticeably late. */
const SLOW_SERVICE_MS = 2_000;

/** Checks first what the member can fix, then what admins can, then what nobody here can. */
export function diagnose({ status: text }: Words, facts: Facts): Verdict {
  const { inGuild, channel, member, me, session, movingFrom, silence, volume, service, spending } = facts;
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
  if (movingFrom !== null) return { state: 'wait', sentence: text.moving };
  const connection = session?.channelId === channel.id ? connectionVerdict(text, session.state, facts.now) : null;
  if (connection?.state === 'bad') return connection;
  if ('problem' in service) return bad(text.service(service.problem));
  if (spending.credit !== null) return bad(spending.credit);
  if (member.refusal !== null) return bad(member.refusal);
  if (connection) return connection;
  // What waits or plays has been taken out of the budgets already.
  const hasOwn = session !== null && session.length > 0 && session.before !== null;
  if (spending.budget !== null && !hasOwn) return bad(spending.budget);
  if (session && session.length > 0) {
    if (session.before === null) return { state: 'good', sentence: text.others };
    return session.before > 0 ? { state: 'wait', sentence: text.queued(session.before) } : { state: 'good', sentence: text.speaking };
  }
  if (silence !== null) return { state: 'wait', sentence: silence };
  if ('ms' in service && service.ms > SLOW_SERVICE_MS) return { state: 'wait', sentence: text.slow(service.ms / 1000) };
  return { state: 'good', sentence: text.ready };
}

/** Null if packets are being sent, or the session is over. */
function connectionVerdict(text: Words['status'], { status, since }: SessionState, now: number): Verdict | null {
  if (status === 'ready' || status === 'closed') return null;
  const isSlow = now - since > SLOW_MS;
  const { [status]: sentence } = isSlow ? text.stuck : text.underWay;
  return { state: isSlow ? 'bad' : 'wait', sentence };
}

function bad(sentence: string): Verdict {
  return { state: 'bad', sentence };
}

// Agreement to be heard: where an earlier one holds, and how members give, change and withdraw theirs while captions are on.
import type { GuildTextBasedChannel } from 'discord.js';
import { UserError } from '../discord/errors.ts';
import { findExposed } from '../discord/exposure.ts';
import type { CaptionedMembers } from './members.ts';
import type { RunRecord } from './run-record.ts';
import type { Consents, Run } from './stored.ts';
import type { Withdrawals } from './withdrawals.ts';

/** Agreement in captions that are on. Members may withdraw theirs while any of these methods waits for the store: that counts. */
interface Agreements {
  /** Members whose earlier agreement holds here agree by it. Who is heard is reviewed by the caller. @throws StoreError */
  admit(memberId: string): Promise<void>;
  /** The member agrees. @throws StoreError */
  agree(memberId: string): Promise<void>;
  /** @param language what the member speaks, in BCP 47; null = the server's hint @throws UserError if they aren't captioned; StoreError */
  setLanguage(memberId: string, language: string | null): Promise<void>;
  /** The member has withdrawn. Never rejects. */
  leaveOut(memberId: string): Promise<void>;
  /** Leaves out who has withdrawn in another process. Never rejects. */
  lookElsewhere(): Promise<void>;
}

interface AgreementsOptions {
  guildId: string;
  /** The channel in which the captions are written. */
  text: GuildTextBasedChannel;
  /** Whether agreement is kept for the server. */
  isKept: boolean;
  members: CaptionedMembers;
  record: Pick<RunRecord, 'save' | 'captioned'>;
  consents: Consents;
  withdrawals: Withdrawals;
  /** Captions are on here. */
  isOpen(): boolean;
  /** Called before anything is stored of it: who is heard changes at once. */
  onChange(): void;
}

export function createAgreements(options: AgreementsOptions): Agreements {
  const { guildId, text, isKept, members, record, consents, withdrawals, isOpen, onChange } = options;

  /** Members whose earlier agreement doesn't hold in this channel. */
  const agreedElsewhere = new Set<string>();

  const saveAgreed = (memberId: string, language: string | null) =>
    record.save((captioned) => [...withoutMember(captioned, memberId), { memberId, language }]);

  return {
    async admit(memberId) {
      const isMeant = () =>
        isKept && isOpen() && !members.agreed.has(memberId) && !members.hasDeclined(memberId) && !withdrawals.includes(guildId, memberId);
      const consent = isMeant() && !agreedElsewhere.has(memberId) ? await consents.find(guildId, memberId) : null;
      if (!consent) return;
      if (!(await holdsIn(text, consent.channelIds))) {
        agreedElsewhere.add(memberId);
        return;
      }
      if (!isMeant()) return;
      members.agree(memberId, consent.language);
      await saveAgreed(memberId, consent.language);
    },

    async agree(memberId) {
      members.reconsider(memberId);
      // The member may have withdrawn before: that must not be stored after this agreement.
      await withdrawals.settle();
      const kept = isKept && !members.agreed.has(memberId) ? await consents.find(guildId, memberId) : null;
      const language = members.agreed.get(memberId) ?? kept?.language ?? null;
      // The member may withdraw meanwhile.
      const isMeant = () => !members.hasDeclined(memberId);
      if (isKept && isMeant()) await consents.keep(guildId, memberId, { language, channelId: audienceId(text) }, isMeant);
      if (!isMeant()) return;
      members.agree(memberId, language);
      onChange();
      await saveAgreed(memberId, language);
    },

    async setLanguage(memberId, language) {
      if (!members.agreed.has(memberId)) throw new UserError((t) => t('captions.notCaptioned'));
      if (isKept) await consents.change(guildId, memberId, { language });
      if (!members.agreed.has(memberId)) return;
      members.agree(memberId, language);
      await record.save((captioned) => captioned.map((member) => (member.memberId === memberId ? { memberId, language } : member)));
    },

    leaveOut(memberId) {
      members.withdraw(memberId);
      onChange();
      return record.save((captioned) => withoutMember(captioned, memberId));
    },

    async lookElsewhere() {
      const captioned = await record.captioned();
      // The store may have lost the run: this stores it again, unless another process can have ended it.
      if (captioned === null && isOpen()) void record.save();
      if (!captioned) return;
      for (const memberId of members.agreed.keys())
        if (!captioned.some((member) => member.memberId === memberId)) members.withdraw(memberId);
      onChange();
    },
  };
}

function withoutMember(captioned: Run['captioned'], memberId: string): Run['captioned'] {
  return captioned.filter((member) => member.memberId !== memberId);
}

/** The id of the channel whose readers read what is written in this one: everybody who sees a channel sees its threads. */
function audienceId(text: GuildTextBasedChannel): string {
  return (text.isThread() ? text.parentId : null) ?? text.id;
}

/** @param givenIn ids of the channels that the member agreed in, from `audienceId` */
async function holdsIn(text: GuildTextBasedChannel, givenIn: readonly string[]): Promise<boolean> {
  const here = audienceId(text);
  if (givenIn.includes(here)) return true;
  const channels = text.guild.channels.cache;
  const place = channels.get(here);
  if (!place || place.isThread()) return false;
  for (const id of givenIn) {
    const channel = channels.get(id);
    if (channel && !channel.isThread() && (await findExposed(channel, place)) === null) return true;
  }
  return false;
}

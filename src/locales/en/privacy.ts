// What /privacy says.
import { inlineCode } from 'discord.js';
import { megabytes } from './format.ts';

const DISCORD =
  'What I answer in a channel is a message on Discord, with the transcript or the sound attached: it stays until somebody deletes it there.';
const LOCAL_DISCORD =
  'This is the local Discord, which runs on the same machine as I do. Instead of Discord’s servers it keeps everyone’s messages, and the recordings, transcripts and sounds attached to them: for a day, in a folder that only the user it runs as may read.';

export const privacy = {
  title: 'What I keep, and who gets it',
  fields: {
    sent: 'Who gets it',
    kept: 'What I keep of you',
    sound: 'The sound of what you had me say',
    notKept: 'What I do not keep',
    answers: 'My answers',
  },
  /** @param host null = on the machine that I run on */
  sent: (host: string | null) =>
    host === null
      ? 'The texts that you have me speak and the recordings that you have me transcribe go to a voice service on the machine that I run on, and to nobody else.'
      : `The texts that you have me speak and the recordings that you have me transcribe go to the voice service ${inlineCode(host)}, without your name. What it does with them is for its operator to say. Nobody else gets them from me.`,
  kept: 'Your voice, your favourite and latest voices and your speed, until you delete them. How much you have used in a day, as numbers, for two days. Of a server: its settings, with who is muted there, until an admin changes them or for 30 days after it has put me out, and what was used in it, as numbers without names, for 31 days. Of a voice: how loud it speaks, for 90 days, and not who had it speak.',
  sound: (bytes: number) =>
    bytes === 0
      ? 'It is not kept.'
      : `It is kept, so that saying the same again in the same server costs no credit: ${megabytes(bytes)} in all at most, what was not said for the longest going first, and each sound for 30 days after it was last said. Its name says nothing about the text. I note under your id which sounds you had me say, so that they can be deleted.`,
  notKept:
    'Texts, recordings and transcripts. They pass through my memory, and neither they nor your name are ever written to a log or a file of mine.',
  answers: (onLocalDiscord: boolean) =>
    `${onLocalDiscord ? LOCAL_DISCORD : DISCORD} While one is not finished, I note where it stands, so that I can correct it if I am restarted meanwhile. For one that only you see, in direct messages, and in servers that I am no member of, I also keep the key that changing it takes: sealed, 15 minutes at most, and deleted when the answer is finished.`,
  deleteButton: 'Delete my data…',
  emptyButton: 'Empty the cache of sound…',
  deleteAsk: (canDeleteSound: boolean) =>
    `This deletes what I keep of you: your voice, your favourite and latest voices, your speed${canDeleteSound ? ', and the sound of what you had me say' : ''}. It cannot be undone.\n-# Two things stay. How much you have used today, as numbers, for two days: else deleting would be a way around the day’s budget. And that an admin has muted you in a server, where that is so: that is a setting of the server.`,
  deleteYes: 'Delete it now',
  deleteNo: 'Keep it',
  deleted: (sounds: number) =>
    `Done: what I kept of you is deleted${sounds === 0 ? '' : `, ${sounds === 1 ? 'one sound' : `${sounds.toLocaleString('en')} sounds`} included`}. Only today’s use stays, as numbers, for two days.`,
  emptyAsk: 'This deletes all sound that is kept, of all members and servers. Saying the same again costs credit again.',
  emptyYes: 'Empty it now',
  emptied: (bytes: number) => `Done: the cache of sound is empty; ${megabytes(bytes)} are free again.`,
  operatorsOnly: `Only whoever runs me can empty the cache of sound. Your own part of it goes with ${inlineCode('Delete my data')}.`,
};

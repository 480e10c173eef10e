// What /voices says.
import { bold, channelMention, inlineCode } from 'discord.js';
import { asMarkdown, asPlain } from '../../text/untrusted-text.ts';
import { format } from './format.ts';

/** The title of a voice, which somebody else has written. */
const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

export const voices = {
  /** @param code BCP 47 */
  languageName: format.language,
  noneFound: 'No voice fits these filters. Leave one of them out, or write it differently.',
  pageOutOfRange: (page: number, pages: number) =>
    `There is no page ${page}: ${pages === 1 ? 'there is only one page' : `the last one is page ${pages}`}. Choose a page from 1 to ${pages}.`,
  ownVoicesForOperators:
    'The own voices belong to the account of whoever runs me, so only they can list them. Leave `mine` out to see the public ones.',
  found: (total: number, page: number, pages: number) => `${total === 1 ? 'One voice' : `${total} voices`} · page ${page} of ${pages}`,
  sorts: { score: 'Best fitting', task_count: 'Most used', created_at: 'Newest' },
  /** How the filter `mine` is shown. */
  own: 'yes',
  by: (author: string) => `by ${asPlain(author, 70) || 'unknown'}`,
  counts: (likes: number, uses: number) => `♥ ${likes} · used ${uses}×`,
  more: (marks: number, shares: number) => `saved ${marks}× · shared ${shares}×`,
  sings: 'A model for singing-voice conversion: it changes a singer’s voice and cannot speak texts.',
  /** @param state as the service names it */
  notReady: (state: string) =>
    state === 'failed' ? 'Its training has failed, so it cannot speak.' : 'It is still being trained, so it cannot speak yet.',
  noDescription: 'No description.',
  id: 'Id',
  languages: 'Languages',
  tags: 'Tags',
  sample: (number: number) => `Sample ${number}`,
  noText: '(no text)',
  furtherSamples: (count: number) => `… and ${count} more ${count === 1 ? 'sample' : 'samples'}`,
  first: '« First',
  last: 'Last »',
  open: 'Look at a voice',
  back: '‹ Back to the page',
  hear: 'Hear it',
  hearAnother: 'Hear one of the samples',
  use: 'Use as my voice',
  used: '✓ My voice',
  favour: 'Favourite',
  favoured: '★ Favourite',
  useForServer: 'Use for this server',
  usedForServer: '✓ Voice of this server',
  gone: (title: string) =>
    `The voice service does not list ${titled(title)} any more: it was deleted, or is not public now. Go back to the page, and choose another one.`,
  cannotSpeak: (title: string) => `${titled(title)} cannot speak texts. Go back to the page, and choose another one.`,
  serverVoiceForAdmins:
    'The voice of the server is for its admins to choose: members with **Manage Server**. Ask one of them, or take the voice as your own.',
  noSample: (title: string) =>
    `There is no recording of ${titled(title)} to be heard any more. Hear the voice itself with ${inlineCode('/say')}.`,
  sampleUnreadable: (title: string) =>
    `The sample of ${titled(title)} could not be read from the voice service. Try again, or hear the voice itself with ${inlineCode('/say')}.`,
  sampleTooLarge: (title: string) =>
    `The sample of ${titled(title)} is too large to be played here. Hear the voice itself with ${inlineCode('/say')}.`,
  sampleNotAudio: (title: string) =>
    `What the voice service has as a sample of ${titled(title)} is no sound that I know. Hear the voice itself with ${inlineCode('/say')}.`,
  samplePlays: (title: string, channelId: string, before: number) =>
    before === 0
      ? `You hear a sample of ${titled(title)} in ${channelMention(channelId)}.`
      : `You will hear a sample of ${titled(title)} in ${channelMention(channelId)}, after what is before it in the queue (${before}).`,
  sampleAttached: (title: string) => `A sample of ${titled(title)}. Join a voice channel, and I play it there.`,
};

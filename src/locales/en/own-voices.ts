// What making voices from recordings says: /voice create, Make a voice, and the buttons of their messages.
import { bold, hyperlink, inlineCode, userMention } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import { code, format } from './format.ts';

const mine = inlineCode('/voice mine');

/** @param host of the voice service; null = the one on the bot's own machine */
const service = (host: string | null) =>
  host === null ? 'the voice service on my own machine' : `the voice service at ${inlineCode(host)}`;

/** The title of a voice, which a member has written. */
const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

export const ownVoices = {
  create: {
    operatorsOnly: `Only the bot’s owner can make voices. Pick one from ${inlineCode('/voices')} instead.`,
    adminsOnly: `Only server admins and members with certain roles can make voices here. Ask an admin to add your role in ${inlineCode('/settings')}.`,
    notOutsideServers: 'Outside servers, only the bot’s owner can make voices. Try again in a server.',
    tooMany: (most: number) =>
      `You’ve reached the limit of ${format.plural(most, { one: '# voice', other: '# voices' })}, including any I’m still making. Delete one in ${mine} first.`,

    titleMissing: 'A voice needs a title. Write one and try again.',
    titleTooLong: (length: number, most: number) =>
      `The title has ${format.number(length)} characters, but a voice’s title can have up to ${format.number(most)}. Shorten it.`,
    unknownLanguage: (typed: string) => `I don’t know the language ${code(typed)}. Pick one from the list, or leave it out.`,
    tooLarge: (name: string, bytes: number, limit: number) =>
      `${code(name)} is ${format.megabytes(bytes)}, but a recording can be up to ${format.megabytes(limit)}. Send the best minute of it.`,
    /** @param seconds of all recordings together @param least how many are needed */
    tooShort: (seconds: number, least: number) =>
      `That’s ${format.duration(seconds)} in all, but a voice needs at least ${format.duration(least)}. Record a few more sentences.`,
    forwarded: 'I can’t tell who speaks in a forwarded message. Use the original message instead.',
    fromBot: 'This is a bot’s message, so nobody can agree to it. Pick a recording of a person.',
    cannotAskHere: (speakerId: string) =>
      `Only ${userMention(speakerId)} can agree to this, and I can’t ask them here. Try again in a server I’ve been added to.`,
    speakerLeft: 'Whoever recorded this has left the server, so they can’t agree. Pick another recording.',

    /** A form; title and label have at most 45 characters, what follows them at most 100. */
    formTitle: 'Make a voice',
    formLabel: 'Title of the voice',
    formAsks: 'It’s someone else’s recording, so I’ll ask them in this channel.',

    /** @param count of the recordings @param host of the voice service; null = on the bot's own machine */
    sends: (count: number, host: string | null) =>
      count === 1
        ? `I’ll send the recording to ${service(host)} to make a voice from it. I don’t keep a copy.`
        : `I’ll send the recordings to ${service(host)} to make a voice from them. I don’t keep a copy.`,
    onlyYouMayUse: `Only you can use the voice, unless you share it in ${mine}.`,
    everyoneMayUse: 'Everyone in this server can use the voice.',
    ownMessage: 'This is your own voice message, so it’s up to you.',
    makeButton: 'Make my voice',
    whoSpeaks: 'Confirm that you’re the only person speaking, or that the person speaking has allowed you to make this voice.',
    ownButton: 'It’s my own voice',
    permissionButton: 'I have permission',

    asksSpeaker: (speakerId: string, makerId: string, url: string) =>
      `${userMention(speakerId)}, ${userMention(makerId)} wants to make a voice from ${hyperlink('your recording', url)}. If you agree, ${userMention(makerId)} can make it say anything.`,
    /** @param host as above */
    untilThen: (host: string | null) =>
      `Only you can decide. If you agree, I’ll send the recording to ${service(host)}. Until then I send nothing.`,
    agreeButton: 'I agree',
    refuseButton: 'No',
    onlySpeaker: (speakerId: string) => `Only ${userMention(speakerId)} can answer this, because it’s their recording.`,
    refused: (speakerId: string) => `${userMention(speakerId)} said no, so I sent nothing.`,
    takenBack: (makerId: string) => `${userMention(makerId)} doesn’t want the voice anymore. I sent nothing.`,
    makerLeft: (makerId: string) => `${userMention(makerId)} has left the server, so there’s nobody to make the voice for. I sent nothing.`,
    makerMayNot: (makerId: string) => `${userMention(makerId)} can’t make voices here anymore, so I sent nothing.`,

    /** @param share of the recordings, 0 to 1 */
    sending: (share: number) => `Sending: ${format.percent(share)}`,
    waiting: 'Sent. Waiting for the training to start…',
    training: 'Training the voice… This usually takes less than a minute.',
    /** The member cancelled before anything was sent. */
    withdrawn: 'Cancelled. I sent nothing.',
    cancelButton: 'Cancel',
    cancelled: 'Cancelled. The voice service isn’t keeping it either.',
    interrupted: `I restarted while making this voice. If the recording arrived, the voice will be in ${mine} soon. If not, make it again.`,
    takesLong: `The training is taking longer than usual. I’ll keep an eye on it: once it’s done, the voice will be in ${mine}.`,
    /** @param reason in the service's own words; may be empty */
    trainingFailed: (reason: string) =>
      `The voice service couldn’t make a voice from this${reason === '' ? '.' : `: ${reason}`}\n-# What works best: 10 to 60 seconds of one person who speaks clearly, without music or noise.`,
    deletedMeanwhile: 'The voice was deleted while I was making it. Make it again if you still want it.',
    notMade: 'Something went wrong on my side, so there’s no voice. Try again in a minute.',

    ready: `${bold('Ready.')} It’s at the top of the ${inlineCode('voice')} option of ${inlineCode('/say')}.`,
    onlyOwnerMayUse: (ownerId: string) => `Only ${userMention(ownerId)} can use the voice.`,
    agreed: (speakerId: string) => `${userMention(speakerId)} agreed to it.`,
    gone: `This voice doesn’t exist anymore. Make a new one with ${inlineCode('/voice create')}.`,
    /** Spoken in a new voice. */
    hello: 'Hello! This is my new voice. Tell me what to say, and I’ll say it.',
  },

  /** What /voice mine says, and other places about voices that members made. */
  mine: {
    /** Notes beside the title of a voice in a list. */
    yours: 'yours',
    shared: 'shared here',

    heading: 'Your voices',
    none: `You haven’t made a voice yet. ${inlineCode('/voice create')} makes one from a recording.`,
    explain: 'Nobody else can find or use a voice of yours unless you share it with a server.',
    onlyYou: 'Only you can use it',
    /** @param here in this server @param others in how many other servers; one of the two at least */
    sharedWith: (here: boolean, others: number) => {
      if (others === 0) return 'Everyone in this server can use it';
      return here
        ? format.plural(others, {
            one: 'Everyone in this server and # other can use it',
            other: 'Everyone in this server and # others can use it',
          })
        : format.plural(others, { one: 'Everyone in # other server can use it', other: 'Everyone in # other servers can use it' });
    },
    /** @param when as a date */
    made: (when: string) => `made ${when}`,
    goneAtService: 'The voice service doesn’t have it anymore, so it can’t speak.',
    edit: 'Rename…',
    share: 'Share with this server',
    unshare: 'Stop sharing',
    delete: 'Delete…',

    formTitle: 'Rename a voice',
    titleField: 'Title',
    descriptionField: 'Description',
    changed: (title: string) => `Saved ${titled(title)}.`,
    nowShared: (title: string) => `Everyone in this server can pick ${titled(title)} in ${inlineCode('/say')} now.`,
    nowPrivate: (title: string) => `${titled(title)} isn’t shared anymore. Anyone who picked it gets another voice.`,
    /** Refuses an owner who wants to make it the server's voice. */
    shareFirst: (title: string) =>
      `Only you can use ${titled(title)} so far. Share it with this server in ${inlineCode('/voice mine')} first.`,
    deleteQuestion: (title: string) =>
      `Delete ${titled(title)}, here and at the voice service, with all the sound cached in it? Anyone who uses it gets another voice. You can’t undo this.`,
    deleteYes: 'Delete',
    cancel: 'Cancel',
    deleted: (title: string) => `${titled(title)} is deleted.`,
    deletedLater: (title: string) =>
      `${titled(title)} is deleted here, so nobody can use it anymore. The voice service couldn’t delete it just now; I’ll keep trying.`,
    gone: `This voice is gone. ${inlineCode('/voice mine')} shows the ones you have.`,
  },
};

// Whatever is thrown becomes one sentence, and nothing that was said gets into the log.
import { DiscordAPIError } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/api/index.ts';
import { AudioError } from '../../src/audio/index.ts';
import { describeError, explainError, isTooLate, UserError, withAddition } from '../../src/discord/errors.ts';
import { en } from '../../src/locales/index.ts';
import { VoiceError, type VoiceErrorKind } from '../../src/voice-session/types.ts';

const discordError = (code: number) =>
  new DiscordAPIError({ code, message: 'No' }, code, 400, 'PATCH', 'https://discord.com/api/webhooks/1/interaction-token', {
    body: { content: 'what a member said' },
    files: undefined,
  });

describe('the sentence for an error', () => {
  it('is the one that was meant for the member, however deep it lies', () => {
    const inner = new UserError(() => 'The file is empty.');
    expect(explainError(new ApiError('aborted', 'x', { cause: new ApiError('aborted', 'y', { cause: inner }) }))?.(en)).toBe(
      'The file is empty.',
    );
  });

  it('is another for each kind of failure', () => {
    const voice = [
      ...['busy', 'join-timeout', 'channel-full', 'not-permitted', 'encryption-timeout', 'untrusted'],
      ...['kicked', 'muted', 'channel-gone', 'disconnected', 'refused'],
    ] as VoiceErrorKind[];
    const errors = [
      ...voice.map((kind) => new VoiceError(kind, 'x', { code: 4017 })),
      ...[
        new ApiError('auth', 'x'),
        new AudioError('not-audio', 'x'),
        new AudioError('stalled', 'x'),
        discordError(50013),
        discordError(10008),
      ],
    ];
    const sentences = errors.map((error) => explainError(error)?.(en));
    expect(new Set(sentences).size).toBe(errors.length);
    for (const sentence of sentences) expect(sentence).toMatch(/\. \S/);
  });

  it('takes an addition before its small print', () => {
    const cause = en('errors.unexpected', { reference: 'a1b2' });
    expect(withAddition(en, cause, 'It still counts.')).toBe(cause.replace('\n-# ', ' It still counts.\n-# '));
    expect(withAddition(en, 'No.', 'It still counts.')).toBe('No. It still counts.');
  });

  it('is null for an unexpected error', () => {
    expect(explainError(new TypeError('x is not a function'))).toBeNull();
    expect(explainError(discordError(50035))).toBeNull();
    expect(explainError('nonsense')).toBeNull();
  });
});

describe('the log of an error', () => {
  it('has neither what was said nor the token of the interaction', () => {
    const facts = JSON.stringify(describeError(new Error('failed', { cause: discordError(50035) })));
    expect(facts).toContain('failed');
    for (const secret of ['what a member said', 'interaction-token']) {
      expect(facts).not.toContain(secret);
      expect(JSON.stringify(describeError(discordError(50035)))).not.toContain(secret);
    }
  });

  it('knows an answer that came too late', () => {
    expect(isTooLate(discordError(10062))).toBe(true);
    expect(isTooLate(discordError(50013))).toBe(false);
  });
});

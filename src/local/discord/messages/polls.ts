// Creates polls from what an application or a member sends.
// https://docs.discord.com/developers/resources/poll#poll-create-request-object
import { type APIPoll, PollLayoutType } from 'discord-api-types/v10';
import type { JsonObject, Validator } from '../validator.ts';

const MAX_QUESTION_LENGTH = 300;
const MAX_ANSWER_LENGTH = 55;
const MAX_ANSWERS = 10;
const DEFAULT_HOURS = 24;
/** 32 days. */
const MAX_HOURS = 768;

export function validatePoll(poll: JsonObject, validator: Validator): void {
  validator.checkLength('poll.question.text', poll.question?.text, 1, MAX_QUESTION_LENGTH);
  const answers = validator.checkList('poll.answers', poll.answers);
  if (answers.length < 1 || answers.length > MAX_ANSWERS)
    validator.addError('poll.answers', 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${MAX_ANSWERS} in length.`);
  answers.forEach(({ poll_media: media }, index) => {
    validator.checkLength(`poll.answers.${index}.poll_media.text`, media?.text, 1, MAX_ANSWER_LENGTH);
  });
  const hours = poll.duration ?? DEFAULT_HOURS;
  if (!Number.isInteger(hours) || hours < 1 || hours > MAX_HOURS)
    validator.addError('poll.duration', 'NUMBER_TYPE_MAX', `int value should be between 1 and ${MAX_HOURS}.`);
}

/** Turns the poll of a valid request into the message's. */
export function createPoll({ question, answers, duration, allow_multiselect }: JsonObject): APIPoll {
  return {
    question: { text: question.text },
    answers: answers.map(({ poll_media: { text, emoji } }: JsonObject, index: number) => ({
      answer_id: index + 1,
      poll_media: { text, ...(emoji && { emoji: { id: emoji.id ?? null, name: emoji.name ?? null } }) },
    })),
    expiry: new Date(Date.now() + (duration ?? DEFAULT_HOURS) * 60 * 60_000).toISOString(),
    allow_multiselect: allow_multiselect === true,
    layout_type: PollLayoutType.Default,
    results: { is_finalized: false, answer_counts: [] },
  };
}

// Collects the validation errors of a request body, as Discord reports them: all at once, nested by field.
// https://docs.discord.com/developers/reference#error-messages
import { type DiscordError, discordErrors } from './errors.ts';

/** An object from outside, before it has been validated. */
// biome-ignore lint/suspicious/noExplicitAny: nothing is known about its fields yet.
export type JsonObject = Record<string, any>;

export type Validator = ReturnType<typeof createValidator>;

/** The error of a request with one wrong field. */
export function fieldError(path: string, code: string, message: string): DiscordError {
  const validator = createValidator();
  validator.addError(path, code, message);
  return validator.toError();
}

/** Paths are dotted, such as `embeds.0.title`. */
export function createValidator() {
  const errors: Record<string, unknown> = {};

  function addError(path: string, code: string, message: string): void {
    let node = errors;
    for (const part of path.split('.')) {
      node[part] ??= {};
      node = node[part] as Record<string, unknown>;
    }
    node._errors = [...((node._errors as object[]) ?? []), { code, message }];
  }

  function toError(): DiscordError {
    return discordErrors.invalidBody(errors);
  }

  return {
    addError,
    toError,

    checkLength(path: string, text: unknown, min: number, max: number): void {
      if (typeof text !== 'string') addError(path, 'BASE_TYPE_REQUIRED', 'This field is required');
      else if (text.length < min || text.length > max)
        addError(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
    },

    /** The objects in an optional list; empty if it is absent or not a list of objects. */
    checkList(path: string, value: unknown): JsonObject[] {
      if (value == null) return [];
      if (Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null)) return value;
      addError(path, 'LIST_TYPE_CONVERT', 'Only a list of objects may be used here.');
      return [];
    },

    /** @throws DiscordError 50035 if there are any errors */
    throwIfInvalid(): void {
      if (Object.keys(errors).length > 0) throw toError();
    },
  };
}

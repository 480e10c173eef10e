// What the schemas of the wire format are made of: optional fields, queries, bytes and lists from outside.
import { z } from 'zod';
import type { OpenEnum } from './types.ts';

/** Optional, with the spec's default. Absent, null and msgpack's nil mean the same. */
export const optional = <T extends z.ZodType>(schema: T, fallback: NoInfer<z.output<T>>) =>
  schema.nullish().transform((value): z.output<T> => value ?? fallback);

/** Query strings express "nothing" in several ways: no key, an empty value, the word null. */
export const emptyToUndefined = (value: unknown) => (value === '' || value === 'null' || value === null ? undefined : value);

export const queryInteger = (min: number, max: number, fallback: number) =>
  z.preprocess(emptyToUndefined, z.coerce.number().int().min(min).max(max).default(fallback));

export const queryText = z.preprocess(emptyToUndefined, z.string().nullish()).transform((text) => text ?? null);

/** A filter with one or more values: a repeated key (what the client sends) or commas. No value at all is null. */
export const queryList = z.preprocess(emptyToUndefined, z.union([z.string(), z.array(z.string())]).nullish()).transform((given) => {
  const values = [given ?? []]
    .flat()
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return values.length === 0 ? null : values;
});

/** Booleans are the text true or false in query strings and multipart fields, and booleans in msgpack. */
const textBoolean = z.union([z.boolean(), z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] })]);

export const queryBoolean = z.preprocess(emptyToUndefined, textBoolean.nullish()).transform((value) => value ?? false);

export const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'must be binary');

/** Inlined bytes: binary in msgpack, base64 in JSON. */
export const inlinedBytes = z.union([bytes, z.base64().transform((text): Uint8Array => Buffer.from(text, 'base64'))]);

/** One of the spec's values, or any other: a list mustn't fail over a value that the service has added since. */
export const openEnum = <Value extends string>(_known: readonly Value[]) => z.string().transform((value): OpenEnum<Value> => value);

/** An array whose entries aren't looked at. */
const arrayUpTo = (max: number) =>
  z.custom<unknown[]>((value) => Array.isArray(value) && value.length <= max, `must be a list of at most ${max}`);

/**
 * A list of at most `max` entries in a response. It is counted before it is read, and reading ends at the first invalid entry: a million
 * of them would otherwise become a million issues.
 */
export const listOf = <T extends z.ZodType>(entry: T, max: number) =>
  arrayUpTo(max).transform((entries, context) => {
    const read: z.output<T>[] = [];
    for (const [index, value] of entries.entries()) {
      const result = entry.safeParse(value);
      if (!result.success) {
        addIssues(context, result.error, index);
        return z.NEVER;
      }
      read.push(result.data);
    }
    return read;
  });

/** Like listOf, for short lists, which may have an issue for each entry. */
export const shortListOf = <T extends z.ZodType>(entry: T, max: number) => arrayUpTo(max).pipe(z.array(entry));

/** Like listOf, but skips invalid entries, so that one can't spoil the others. If all are invalid, so is the list. */
export const listOfValid = <T extends z.ZodType>(entry: T, max: number) =>
  arrayUpTo(max).transform((entries, context) => {
    const results = entries.map((value) => entry.safeParse(value));
    const read = results.flatMap((result) => (result.success ? [result.data] : []));
    const [first] = results;
    if (read.length > 0 || !first?.error) return read;
    addIssues(context, first.error, 0);
    return z.NEVER;
  });

/** Names the fields that are wrong in an entry, never their values. */
function addIssues(context: z.core.$RefinementCtx, error: z.core.$ZodError, index: number): void {
  for (const { message, path } of error.issues.slice(0, 5)) context.addIssue({ code: 'custom', message, path: [index, ...path] });
}

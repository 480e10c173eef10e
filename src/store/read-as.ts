// What another process wrote, which may be of another version.
import type { z } from 'zod';
import type { Value } from './types.ts';

/** Schemas that a value was already reported for. */
const reported = new WeakSet<z.ZodType>();

/**
 * The value, if it has the shape of the schema. Any other value counts as missing, which is logged once for each schema, without the value:
 * it may hold what members said.
 * @param name what is read, for the log @returns null if it is missing
 */
export function readAs<T>(
  schema: z.ZodType<T>,
  value: Value | object,
  log: { warn(details: object, message: string): void },
  name: string,
): T | null {
  if (value === null) return null;
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  if (!reported.has(schema)) {
    reported.add(schema);
    const fields = error.issues.map(({ path }) => String(path[0] ?? ''));
    log.warn(
      { value: name, fields: [...new Set(fields)] },
      'ignoring a stored value that has another shape; another version may have written it',
    );
  }
  return null;
}
